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

type Props = { turn: Turn; a: string; b: string; isFirst: boolean };

/** A turn that differs, with the way to it on either side. */
export function TurnDifference({ turn, a, b, isFirst }: Props) {
  const [round = "", step = "", role = ""] = turn.turn.split("/");
  const place = round === "0" ? [] : [`round ${round}`];
  const name = [...new Set([sayName(role), sayName(step), ...place])].join(", ");
  const link = (run: string, side: string) => (
    <Link href={`/runs/${run}?turn=${encodeURIComponent(turn.turn)}`}>{`in ${side}`}</Link>
  );
  return (
    <details open={isFirst} className={isFirst ? "first" : ""}>
      <summary>
        <span className="who">{name}</span> <span className="secondary">{changeWords[turn.change]}</span>
        {isFirst && <span className="badge">here they part</span>}
      </summary>
      <p className="row">
        {turn.change !== "only_in_second" && link(a, "A")}
        {turn.change !== "only_in_first" && link(b, "B")}
      </p>
      {turn.prompt && <p className="secondary">{showHidden(turn.prompt)}</p>}
      <Differences title={name} rows={turn.reply} />
    </details>
  );
}
