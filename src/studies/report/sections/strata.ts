import type { StudySummary } from "../../summary/summarise-study.ts";
import { html, type Markup } from "../../../text/html.ts";
import { countText, pointsText, rangeText, valueText } from "../../../text/number-text.ts";
import type { RunIndex } from "../run-index.ts";
import { type Cell, sortableTable } from "../table.ts";

/** The score of each arm by group of cases, the difference to the reference under it. */
export function strata(summary: StudySummary, index: RunIndex): Markup {
  const tables = summary.strata.filter((table) => table.rows.length > 1);
  if (tables.length === 0) return html``;
  return html`<h2 id="strata">By group of cases</h2>
<p class="sub">${summary.manifest.primary} of each arm; under it how much better the reference is, with its paired interval where that leaves zero out. Small groups swing widely: read the interval, not the point.</p>
${tables.map((table) =>
  sortableTable(
    [
      { name: table.name },
      { name: "cases", numeric: true },
      ...summary.arms.map((one) => ({ name: one.arm.name, numeric: true })),
    ],
    table.rows.map((row): Cell[] => [
      row.value,
      {
        show: index.link(
          countText(row.cases),
          `Runs with ${table.name} = ${row.value}`,
          (card) => (card.strata[table.name] ?? "–") === row.value,
        ),
        sort: row.cases,
      },
      ...summary.arms.map(({ arm }): Cell => {
        const cell = row.arms.find((one) => one.arm === arm.name);
        if (!cell?.primary) return { show: "–", sort: -1 };
        const clear = cell.difference && (cell.difference.low > 0 || cell.difference.high < 0);
        const under = cell.difference
          ? `${pointsText(cell.difference.estimate)}${clear ? ` (${rangeText(cell.difference)})` : ""}`
          : rangeText(cell.primary);
        return {
          show: html`${valueText(cell.primary.estimate)}<span class="sub">${under}</span>`,
          sort: cell.primary.estimate,
        };
      }),
    ]),
  ),
)}`;
}
