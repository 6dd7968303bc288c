import type { Chart } from "../../contract/chart.ts";
import type { SectionOf } from "../../contract/view.ts";
import { formatNumber, formatRange, valueText } from "../../text/number-text.ts";
import { chartTable } from "../chart-table.ts";
import { fullScale } from "../../text/sparkline.ts";
import type { Page } from "./page.ts";
import { drawTable } from "./table.ts";

const longestBar = 30;

/** A bar per point, with its number. */
export function drawSeries({ points }: SectionOf<"series">, page: Page): string[] {
  const full = fullScale(points.map(({ value }) => value));
  const room = Math.max(1, Math.min(longestBar, Math.floor(page.width / 2)));
  const rows = points.map(({ label, value }) => [
    label,
    formatNumber(value),
    "█".repeat(Math.round((Math.max(0, value) / full) * room)),
  ]);
  return drawTable({ kind: "table", title: "", columns: ["", { name: "", numeric: true }, ""], rows }, page);
}

/** A chart whose numbers stand nowhere else: intervals are drawn, the others are a table. */
export function drawChart({ chart, repeats }: SectionOf<"chart">, page: Page): string[] {
  if (repeats) return [];
  return chart.type === "forest"
    ? drawForest(chart, page)
    : drawTable({ ...chartTable(chart), kind: "table", title: "" }, page);
}

const plotWidth = 40;
/** An empty place that is no space, which wrapping would take away. */
const blank = "\u2800";

/** `├──●──┤`, one row under another on the same scale. */
function drawForest({ rows, line }: Extract<Chart, { type: "forest" }>, page: Page): string[] {
  const ends = rows.flatMap(({ value }) => [value.low, value.high]).concat(line ?? []);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const place = (value: number): number => Math.round(((value - low) / Math.max(1e-9, high - low)) * (plotWidth - 1));
  return drawTable(
    {
      kind: "table",
      title: "",
      columns: ["", "", { name: "", numeric: true }, { name: "", numeric: true }],
      rows: rows.map(({ name, value }) => [
        name,
        drawInterval(place(value.low), place(value.estimate), place(value.high), line === null ? null : place(line)),
        valueText(value.estimate),
        formatRange(value),
      ]),
    },
    page,
  );
}

function drawInterval(low: number, at: number, high: number, line: number | null): string {
  return Array.from({ length: plotWidth }, (_, i) => {
    if (i === at) return "●";
    if (i === low) return "├";
    if (i === high) return "┤";
    if (i > low && i < high) return "─";
    return i === line ? "┊" : blank;
  }).join("");
}
