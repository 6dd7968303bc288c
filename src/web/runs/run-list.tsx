import { useWindowVirtualizer } from "@tanstack/react-virtual";
import { useEffect, useLayoutEffect, useRef, useState } from "react";
import type { RunItem } from "../../contract/api/index.ts";
import { useListKeys } from "./list-keys.ts";
import { RunCells, RunColumns } from "./run-line.tsx";

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
