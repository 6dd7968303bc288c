import { cellOf } from "../contract/section-parts.ts";
import type { Chart, Cell, SectionOf } from "../contract/view.ts";
import { countText, formatRange, formatShortCount, valueText } from "../text/format.ts";
import { sparkline } from "../text/layout.ts";

export function cellText(cell: Cell | undefined): string {
  const { text, tag, note } = cellOf(cell);
  const more = [tag, note].filter((one) => one !== undefined && one !== "");
  return more.length === 0 ? text : `${text} (${more.join("; ")})`.trimStart();
}

export function listFindings({ findings }: SectionOf<"checks">): string[] {
  const wrong = findings.filter(({ ok }) => !ok).map(({ check, where, message }) => `${check}, ${where}: ${message}`);
  const holding = findings.length - wrong.length;
  return holding === 0 ? wrong : [...wrong, `${holding} of ${findings.length} checks hold`];
}

type Table = Pick<SectionOf<"table">, "columns" | "rows">;

/** The numbers of a chart as a table, for outputs that do not draw. */
export function chartTable(chart: Chart): Table {
  return (tables[chart.type] as (chart: Chart) => Table)(chart);
}

type ChartOf<T extends Chart["type"]> = Extract<Chart, { type: T }>;

const tables: { [T in Chart["type"]]: (chart: ChartOf<T>) => Table } = {
  cost: ({ axes, points }) => ({
    columns: ["", { name: axes.cost, numeric: true }, { name: axes.quality, numeric: true }],
    rows: points
      .toReversed()
      .map(({ name, group, cost, quality }) => [
        { text: name, tag: group },
        cost < 10 ? String(Number(cost.toFixed(2))) : formatShortCount(cost),
        { text: valueText(quality.estimate), note: formatRange(quality) },
      ]),
  }),
  line: ({ says, points }) => ({
    columns: ["", { name: says, numeric: true }],
    rows: points.map(({ name, value }) => [name, valueText(value)]),
  }),
  timeline: ({ start, end, lanes }) => ({
    columns: ["", `${formatClock(start)} to ${formatClock(end)}`, { name: "events", numeric: true }],
    rows: lanes.map(({ name, counts, total }) => [name, sparkline(thinned(counts)), countText(total)]),
  }),
};

function formatClock(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

const mostBars = 24;

function thinned(values: number[]): number[] {
  if (values.length <= mostBars) return values;
  return Array.from(
    { length: mostBars },
    (_, i) => values[Math.round((i * (values.length - 1)) / (mostBars - 1))] ?? 0,
  );
}
