import type { Chart } from "../../../contract/chart.ts";
import { html, type Markup } from "../../../text/html.ts";
import { niceBounds, scaleTo, ticksOf } from "./scale.ts";
import { cutName, drawLine, drawMark, drawSvg, drawWords, percentText } from "./svg.ts";

const rowHeight = 34;

/** Estimates with intervals, one under another, around a line that they are compared with. */
export function drawForest({ axis, line, rows }: Extract<Chart, { type: "forest" }>, width: number): Markup {
  const isNarrow = width < 500;
  const [left, right, top] = [isNarrow ? 120 : 186, width - 20, 8];
  const bottom = top + rows.length * rowHeight;
  const values = rows.flatMap(({ value }) => [value.low, value.high]).concat(line ?? []);
  const bounds = niceBounds(values, isNarrow ? 5 : 9);
  const x = scaleTo(bounds, left, right);
  const grid = ticksOf(bounds).map(
    (tick) =>
      html`${drawLine({ x: x(tick), y: top }, { x: x(tick), y: bottom }, "grid")}${drawWords({ x: x(tick), y: bottom + 14 }, percentText(tick), "axis")}`,
  );
  const drawn = rows.map(({ name, group, value }, i) => {
    const y = top + (i + 0.5) * rowHeight;
    const [low, high] = [x(value.low), x(value.high)];
    return html`${drawWords({ x: left - 10, y }, cutName(name, isNarrow ? 15 : 24), "name", "end")}<g class="${group}">${drawLine({ x: low, y }, { x: high, y }, "range")}${drawLine({ x: low, y: y - 5 }, { x: low, y: y + 5 }, "range")}${drawLine({ x: high, y: y - 5 }, { x: high, y: y + 5 }, "range")}${drawMark({ x: x(value.estimate), y }, group)}</g>`;
  });
  const compared = line !== null && drawLine({ x: x(line), y: top }, { x: x(line), y: bottom }, "compared");
  const name = drawWords({ x: (left + right) / 2, y: bottom + 36 }, axis, "axis");
  return drawSvg(width, bottom + 48, [grid, compared, drawn, name]);
}
