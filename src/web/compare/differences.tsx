import { Link } from "wouter";
import type { Comparison } from "../../contract/api/index.ts";
import { ValueView } from "../text/value-view.tsx";
import { sayName, showHidden } from "../text/words.ts";

export type DifferenceRow = { path: string; before?: unknown; after?: unknown };

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
export function TurnDifference({ turn, a, b, isFirst }: Props) {
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
