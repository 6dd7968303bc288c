import type { Cell, RunRow, SectionOf } from "../../contract/view.ts";
import { html, type Markup, type Part } from "../../text/html.ts";
import { countText } from "../../text/number-text.ts";
import { htmlId } from "./html-id.ts";
import { drawTable } from "./table.ts";

/** How many runs of a set the page lists; a reader looks at some of them, a program reads the files of the study. */
const mostListed = 100;

/** The runs that numbers lead to: a link shows its set, and without one all runs stand here. */
export function drawRuns({ rows, sets }: SectionOf<"runs">): Part {
  const lists = sets.map(
    ({ id, title, rows: own }) =>
      html`<div class="run-set" id="${htmlId("runs", id)}">${drawSet(
        title,
        own.flatMap((row) => rows[row] ?? []),
      )}</div>`,
  );
  return html`${lists}<div class="run-set all">${drawSet("All runs", rows)}</div>`;
}

const columns = [
  "run",
  "arm",
  "case",
  { name: "seed", numeric: true },
  "outcome",
  { name: "score", numeric: true },
  "",
];

function drawSet(title: string, rows: readonly RunRow[]): Markup {
  const listed = rows
    .slice(0, mostListed)
    .map((row) => [
      row.run ?? "–",
      row.arm,
      row.case,
      String(row.seed),
      row.outcome,
      row.score === null ? "–" : (row.score * 100).toFixed(1),
      rightCell(row),
    ]);
  const more = rows.length - listed.length;
  const table = drawTable(
    { kind: "table", title, columns, rows: listed },
    { cards: new Set(), turns: new Set(), runs: new Set() },
  );
  return html`<p><b>${title}</b> (${countText(rows.length)}) <span class="soft">Look at one with <code>parley show RUN</code>.</span></p>${table}${more > 0 && html`<p class="soft">${countText(more)} more are in scorecards.jsonl.</p>`}`;
}

function rightCell({ right }: RunRow): Cell {
  if (right === null) return "";
  return right ? { text: "right", tone: "good" } : { text: "wrong", tone: "bad" };
}
