import { useQuery } from "@tanstack/react-query";
import { useState } from "react";
import { Link, useSearchParams } from "wouter";
import type { Comparison, RunItem } from "../../contract/api/index.ts";
import { callApi } from "../../contract/api/client.ts";
import { RunCells } from "../runs/run-list.tsx";
import { Empty, Failure, Skeleton, ValueView } from "../text/parts.tsx";
import { guessLang, sayName, sayOutcome, showHidden, tellAge, tellTime } from "../text/words.ts";

/** Two runs side by side: only what differs, and where they part. */
export default function ComparePage() {
  const [search, setSearch] = useSearchParams();
  const [a, b] = [search.get("a"), search.get("b")];
  const compared = useQuery({
    queryKey: ["compare", a, b],
    queryFn: () => callApi("compareRuns", { query: { a: a ?? "", b: b ?? "" } }),
    enabled: a !== null && b !== null,
    retry: false,
  });
  const pick = (side: "a" | "b") => (id: string) =>
    setSearch((before) => {
      const next = new URLSearchParams(before);
      next.set(side, id);
      return next;
    });
  return (
    <div className="compare">
      <h1>Compare two runs</h1>
      {a === null && <RunPicker side="A" other={b} onPick={pick("a")} />}
      {a !== null && b === null && <RunPicker side="B" other={a} onPick={pick("b")} />}
      {a !== null && b !== null && compared.isPending && <Skeleton lines={8} />}
      {compared.isError && (
        <>
          <Failure error={compared.error} />
          <p>
            <Link href={`/compare?a=${a}`}>Compare with another run</Link>
          </p>
        </>
      )}
      {compared.data && <Compared comparison={compared.data} />}
    </div>
  );
}

function Compared({ comparison }: { comparison: Comparison }) {
  const { a, b, same, start, turns, rules } = comparison;
  const headline = comparison.headline.filter(({ before, after }) => before !== after);
  return (
    <>
      <div className="versus">
        <Side side="A" run={a} />
        <Side side="B" run={b} />
      </div>
      <p className="say" role="status">
        {sayComparison(comparison)}
      </p>
      {!same && (
        <>
          <Part title="What was decided" count={headline.length}>
            <Differences
              title="What was decided"
              rows={headline.map(({ name, ...sides }) => ({ path: name, ...sides }))}
            />
          </Part>
          <Part title="What they were started with" count={start.length}>
            <Differences title="What they were started with" rows={start} />
          </Part>
          <Part title="Turns that differ" count={turns.length}>
            {turns.map((turn, at) => (
              <TurnDifference key={turn.turn} turn={turn} a={a.id} b={b.id} isFirst={at === 0} />
            ))}
          </Part>
          <Part title="Rules that decided otherwise" count={rules.length}>
            {rules.map(({ rule, about, change, differences }, at) => (
              <details key={at}>
                <summary>
                  {`${sayName(rule)} ${showHidden(about)}`} <span className="secondary">{change}</span>
                </summary>
                <Differences title={sayName(rule)} rows={differences} />
              </details>
            ))}
          </Part>
        </>
      )}
    </>
  );
}

/** How two runs stand to each other, in a sentence. */
function sayComparison({ same, headline, turns, a, b }: Comparison): string {
  if (same) return "The two runs are the same in everything that counts.";
  const isOther = headline.some(({ before, after }) => before !== after);
  const decided =
    a.outcome !== b.outcome || isOther ? "They came to different decisions" : "They came to the same decision";
  if (turns.length === 0) return `${decided}, over the same turns.`;
  return `${decided}; ${turns.length === 1 ? "one turn differs" : `${turns.length} turns differ`}.`;
}

function Side({ side, run }: { side: "A" | "B"; run: RunItem }) {
  const { word, tone } = sayOutcome(run.status, run.outcome);
  return (
    <div>
      <p className="secondary">
        <strong>{side}</strong> <time title={tellTime(run.createdAt)}>{tellAge(run.createdAt)}</time>
      </p>
      <Link href={`/runs/${run.id}`} lang={guessLang(run.subject)}>
        {showHidden(run.subject) || run.id}
      </Link>
      <p>
        <span className={`chip ${tone}`}>{word}</span> <span className="secondary">{`cast ${run.cast}`}</span>
      </p>
    </div>
  );
}

type DifferenceRow = { path: string; before?: unknown; after?: unknown };

const mostShown = 60;

/** What differs, one row each: what it is, and how it is on either side. */
export function Differences({ title, rows }: { title: string; rows: readonly DifferenceRow[] }) {
  if (rows.length === 0) return null;
  return (
    <div className="differences" role="table" aria-label={title}>
      <div role="rowgroup">
        {rows.slice(0, mostShown).map(({ path, before, after }) => (
          <div key={path} role="row">
            <span role="rowheader">{sayPath(path)}</span>
            <div role="cell" data-side="A">
              <ValueView value={before} />
            </div>
            <div role="cell" data-side="B">
              <ValueView value={after} />
            </div>
          </div>
        ))}
      </div>
      {rows.length > mostShown && <p className="secondary">{`and ${rows.length - mostShown} more`}</p>}
    </div>
  );
}

function sayPath(path: string): string {
  return showHidden(sayName(path).replaceAll(".", ", ")) || "all of it";
}

type Turn = Comparison["turns"][number];

const changeWords: Record<Turn["change"], string> = {
  only_in_first: "was only held in A",
  only_in_second: "was only held in B",
  prompt: "was asked otherwise",
  reply: "answered otherwise",
  status: "ended otherwise",
};

/** A turn's id as a person says it. */
export function sayTurn(id: string): string {
  const [round = "", step = "", role = ""] = id.split("/");
  const place = round === "0" ? [] : [`round ${round}`];
  return [...new Set([sayName(role), sayName(step), ...place])].join(", ");
}

type Props = { turn: Turn; a: string; b: string; isFirst: boolean };

/** A turn that differs, with the way to it on either side. */
function TurnDifference({ turn, a, b, isFirst }: Props) {
  const name = sayTurn(turn.turn);
  const links = (
    <span className="turn-links">
      {turn.change !== "only_in_second" && <SideLink run={a} turn={turn.turn} side="A" />}
      {turn.change !== "only_in_first" && <SideLink run={b} turn={turn.turn} side="B" />}
    </span>
  );
  const said = (
    <>
      <span className="who">{name}</span> <span className="secondary">{changeWords[turn.change]}</span>
      {isFirst && <span className="here">here they part</span>}
    </>
  );
  if (turn.reply.length === 0 && turn.prompt === null)
    return (
      <div className={`turn-line ${isFirst ? "first" : ""}`}>
        <p>{said}</p>
        {links}
      </div>
    );
  return (
    <details open={isFirst} className={`turn-line ${isFirst ? "first" : ""}`}>
      <summary>{said}</summary>
      {links}
      {turn.prompt && <p className="secondary">{showHidden(turn.prompt)}</p>}
      <Differences title={name} rows={turn.reply} />
    </details>
  );
}

function SideLink({ run, turn, side }: { run: string; turn: string; side: string }) {
  return <Link href={`/runs/${run}?turn=${encodeURIComponent(turn)}`}>{`in ${side}`}</Link>;
}

/** A part of a comparison; nothing where nothing differs. */
export function Part({ title, count, children }: { title: string; count: number; children: React.ReactNode }) {
  if (count === 0) return null;
  return (
    <section className="part" aria-label={title}>
      <h2>{title}</h2>
      {children}
    </section>
  );
}

type RunPickerProps = { side: "A" | "B"; other: string | null; onPick: (id: string) => void };

/** Finds a run to compare; beside one that is chosen already, runs of its pack are offered. */
function RunPicker({ side, other, onPick }: RunPickerProps) {
  const [words, setWords] = useState("");
  const first = useQuery({
    queryKey: ["run", other],
    queryFn: () => callApi("readRun", { params: { id: other ?? "" } }),
    enabled: other !== null,
  });
  const asked = { text: words.trim(), pack: first.data?.run.pack, limit: 12 };
  const runs = useQuery({
    queryKey: ["pick", asked],
    queryFn: () => callApi("listRuns", { query: asked }),
    enabled: other === null || first.data !== undefined,
  });
  const offered = runs.data?.runs.filter(({ id }) => id !== other) ?? [];
  return (
    <section className="form" aria-label={`Run ${side}`}>
      <div className="field">
        <label htmlFor="pick">{side === "A" ? "Which run?" : "And which other one?"}</label>
        <input
          id="pick"
          type="search"
          placeholder="Words of its case"
          value={words}
          onChange={(event) => setWords(event.target.value)}
        />
      </div>
      {runs.isPending && <Skeleton lines={5} />}
      {runs.isError && <Failure error={runs.error} />}
      {runs.data && offered.length === 0 && <Empty>No other run is like that.</Empty>}
      <ul className="plain-list pick">
        {offered.map((run) => (
          <li key={run.id}>
            <button className="run-row" onClick={() => onPick(run.id)}>
              <RunCells run={run} isPlain />
            </button>
          </li>
        ))}
      </ul>
    </section>
  );
}
