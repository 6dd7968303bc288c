import type { Chart } from "../contract/chart.ts";
import type { SectionOf } from "../contract/view.ts";
import { countText, formatRange, formatShortCount, valueText } from "../text/number-text.ts";
import { sparkline } from "../text/sparkline.ts";

type Table = Pick<SectionOf<"table">, "columns" | "rows">;

/** The numbers of a chart as a table, for outputs that do not draw. */
export function chartTable(chart: Chart): Table {
  return (tables[chart.type] as (chart: Chart) => Table)(chart);
}

type ChartOf<T extends Chart["type"]> = Extract<Chart, { type: T }>;

const tables: { [T in Chart["type"]]: (chart: ChartOf<T>) => Table } = {
  forest: ({ axis, rows }) => ({
    columns: ["", { name: axis, numeric: true }, { name: "95 % interval", numeric: true }],
    rows: rows.map(({ name, group, value }) => [
      { text: name, tag: group },
      valueText(value.estimate),
      formatRange(value),
    ]),
  }),
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
  flips: ({ rounds }) => ({
    columns: ["into round", { name: "wrong → right", numeric: true }, { name: "right → wrong", numeric: true }],
    rows: rounds.map(({ round, fixed, broken }) => [String(round), countText(fixed), countText(broken)]),
  }),
  lines: ({ axes, lines }) => ({
    columns: ["", axes.y, `over ${axes.x}`],
    rows: lines.map(({ name, points }) => {
      const [first, last] = [points[0], points.at(-1)];
      const ends = first && last ? `${valueText(first[1])} to ${valueText(last[1])}` : "–";
      const over = first && last ? `${valueText(first[0])} to ${valueText(last[0])}` : "–";
      return [name, `${sparkline(thinned(points.map(([, y]) => y)))} ${ends}`, over];
    }),
  }),
  frontier: ({ axes, points, ceiling }) => ({
    columns: ["", { name: axes.calls, numeric: true }, { name: axes.quality, numeric: true }],
    rows: [
      ...points.map(({ name, members, calls, quality }) => [
        { text: name, note: members.join(", ") },
        String(Number(calls.toFixed(2))),
        { text: valueText(quality.estimate), note: formatRange(quality) },
      ]),
      ...(ceiling === null ? [] : [["always the right member", "", valueText(ceiling)]]),
    ],
  }),
  heatmap: ({ axes, rows, columns, values }) => ({
    columns: [axes.rows, ...columns.map((name) => ({ name, numeric: true }))],
    rows: rows.map((name, row) => [
      name,
      ...columns.map((_, column) => values[row]?.[column]?.toFixed(2).replace("-", "−") ?? "–"),
    ]),
  }),
  shares: ({ parts, rows }) => ({
    columns: ["", ...parts.map(({ name }) => ({ name, numeric: true }))],
    rows: rows.map(({ name, counts }) => [name, ...counts.map(countText)]),
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

/** Values evenly picked, so that a long curve fits on a line. */
function thinned(values: number[]): number[] {
  if (values.length <= mostBars) return values;
  return Array.from(
    { length: mostBars },
    (_, i) => values[Math.round((i * (values.length - 1)) / (mostBars - 1))] ?? 0,
  );
}
