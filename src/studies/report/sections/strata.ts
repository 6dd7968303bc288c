import type { Cell, Section } from "../../../contract/view.ts";
import { countText, formatPoints, formatRange, valueText } from "../../../text/number-text.ts";
import type { StratumTable } from "../../summary/summarise-strata.ts";
import type { StudySummary } from "../../summary/summarise-study.ts";
import type { RunSets } from "./run-sets.ts";

/** The score of each arm by group of cases, the difference to the reference under it. */
export function buildStrataSection(summary: StudySummary, runs: RunSets): Section[] {
  const tables = summary.strata.filter((table) => table.rows.length > 1);
  if (tables.length === 0) return [];
  return [
    {
      kind: "group",
      title: "By group of cases",
      id: "strata",
      note: `${summary.manifest.primary} of each arm; under it how much better the reference is, with its paired interval where that leaves zero out. Small groups swing widely: read the interval, not the point.`,
      sections: tables.map((table) => buildStratumTable(table, summary, runs)),
    },
  ];
}

function buildStratumTable({ name, rows }: StratumTable, { arms }: StudySummary, runs: RunSets): Section {
  return {
    kind: "table",
    title: `By ${name}`,
    columns: [name, { name: "cases", numeric: true }, ...arms.map((one) => ({ name: one.arm.name, numeric: true }))],
    rows: rows.map((row) => [
      row.value,
      {
        text: countText(row.cases),
        runs: runs.refer(`Runs with ${name} = ${row.value}`, (card) => (card.strata[name] ?? "–") === row.value),
      },
      ...arms.map(({ arm }) => buildStratumCell(row.arms.find((one) => one.arm === arm.name))),
    ]),
  };
}

function buildStratumCell(cell: StratumTable["rows"][number]["arms"][number] | undefined): Cell {
  if (!cell?.primary) return "–";
  const { primary, difference } = cell;
  if (!difference) return { text: valueText(primary.estimate), note: formatRange(primary) };
  const clear = difference.low > 0 || difference.high < 0;
  const note = `${formatPoints(difference.estimate)}${clear ? ` (${formatRange(difference)})` : ""}`;
  return { text: valueText(primary.estimate), note };
}
