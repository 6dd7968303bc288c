import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { type ReactNode, useEffect, useLayoutEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";
import type { RunItem } from "../../contract/api/index.ts";
import { guessLang, sayName, sayOutcome, showHidden, tellAge, tellTime } from "../text/words.ts";

type Props = { runs: RunItem[]; hasMore: boolean; total: number; onMore: () => void };

const narrow = matchMedia("(max-width: 640px)");
const rowHeight = (): number => (narrow.matches ? 76 : 44);

/** The runs as a table that draws only the rows in sight, however many there are; more are fetched before the end is. */
export function RunList({ runs, hasMore, total, onMore }: Props) {
  const box = useRef<HTMLDivElement>(null);
  const [offset, setOffset] = useState(0);
  useLayoutEffect(() => setOffset(box.current?.offsetTop ?? 0), []);
  const rows = useWindowVirtualizer({
    count: runs.length,
    estimateSize: rowHeight,
    overscan: 20,
    scrollMargin: offset,
    getItemKey: (at) => runs[at]?.id ?? at,
  });
  useEffect(() => {
    const measure = () => rows.measure();
    narrow.addEventListener("change", measure);
    return () => narrow.removeEventListener("change", measure);
  }, [rows]);
  const { at, marked } = useListKeys(runs, (index) => rows.scrollToIndex(index, { align: "auto" }));
  const last = rows.getVirtualItems().at(-1)?.index ?? 0;
  useEffect(() => {
    if (hasMore && last > runs.length - 150) onMore();
  }, [hasMore, last, runs.length, onMore]);
  return (
    <div role="table" aria-label="Runs" aria-rowcount={hasMore ? -1 : total + 1} className="run-table">
      <div role="rowgroup">
        <RunColumns />
      </div>
      <div role="rowgroup" ref={box} className="rows" style={{ height: rows.getTotalSize() }}>
        {rows.getVirtualItems().map(({ index, key, start, size }) => {
          const run = runs[index];
          if (!run) return null;
          return (
            <div
              key={key}
              role="row"
              aria-rowindex={index + 2}
              className={`run-row ${index === at ? "at" : ""}`}
              style={{ height: size, transform: `translateY(${start - offset}px)` }}
            >
              <RunCells run={run} isMarked={marked.includes(run.id)} />
            </div>
          );
        })}
      </div>
    </div>
  );
}

type RunCellsProps = { run: RunItem; isMarked?: boolean; isPlain?: boolean };

/** The cells of a run in a list: how it ended, what it is about, who played, when; plain ones are no links. */
export function RunCells({ run, isMarked = false, isPlain = false }: RunCellsProps): ReactNode {
  const cell = isPlain ? undefined : "cell";
  const { word, tone } = sayOutcome(run.status, run.outcome);
  return (
    <>
      <span role={cell} className="state">
        {run.live ? <span className="live">live</span> : <span className={`chip ${tone}`}>{word}</span>}
      </span>
      <span role={cell} className="about">
        {isPlain ? (
          <span className="subject" lang={guessLang(run.subject)}>
            {showHidden(run.subject) || run.id}
          </span>
        ) : (
          <Link className="subject" href={`/runs/${run.id}`} lang={guessLang(run.subject)}>
            {showHidden(run.subject) || run.id}
          </Link>
        )}
        {isMarked && <span className="badge">marked</span>}
        {run.parent && <span className="badge">branch</span>}
      </span>
      <span role={cell} className="pack secondary">
        {sayName(run.pack)}
      </span>
      <span role={cell} className="cast secondary" title={run.cast}>
        {run.cast}
      </span>
      <span role={cell} className="when secondary">
        <time dateTime={run.createdAt} title={tellTime(run.createdAt)}>
          {tellAge(run.createdAt)}
        </time>
      </span>
    </>
  );
}

/** The names of the columns. */
function RunColumns() {
  return (
    <div role="row" className="run-row names" aria-rowindex={1}>
      {["state", "what it is about", "pack", "cast", "when"].map((name, at) => (
        <span key={name} role="columnheader" className={["state", "about", "pack", "cast", "when"][at]}>
          {name}
        </span>
      ))}
    </div>
  );
}

type Item = { id: string };
type Place = { at: number; marked: string[] };

/** j and k walk a list, enter opens, x marks; two marked runs are compared. */
function useListKeys(items: readonly Item[], onMove: (index: number) => void): Place {
  const [now, setNow] = useState<Place>({ at: -1, marked: [] });
  // Keys may come faster than the page is drawn: each finds what the one before it left.
  const latest = useRef(now);
  const [, go] = useLocation();
  useEffect(() => {
    const hold = (next: Place) => {
      latest.current = next;
      setNow(next);
    };
    const move = (by: number) => {
      const at = Math.max(0, Math.min(items.length - 1, latest.current.at + by));
      hold({ ...latest.current, at });
      onMove(at);
    };
    const mark = (id: string) => {
      const { at, marked } = latest.current;
      const next = marked.includes(id) ? marked.filter((one) => one !== id) : [...marked, id];
      hold({ at, marked: next });
      if (next.length === 2) go(`/compare?a=${next[0]}&b=${next[1]}`);
    };
    const onKey = (event: KeyboardEvent) => {
      const target = event.target as HTMLElement;
      if (event.metaKey || event.ctrlKey || event.altKey) return;
      if (/^(?:INPUT|TEXTAREA|SELECT|BUTTON)$/.test(target.tagName)) return;
      const item = items[latest.current.at];
      if (event.key === "j") move(1);
      else if (event.key === "k") move(-1);
      else if (event.key === "x" && item) mark(item.id);
      else if (event.key === "Enter" && item && target.tagName !== "A") go(`/runs/${item.id}`);
    };
    window.addEventListener("keydown", onKey);
    return () => window.removeEventListener("keydown", onKey);
  }, [items, go, onMove]);
  return now;
}
