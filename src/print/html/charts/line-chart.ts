import type { Chart } from "../../../contract/chart.ts";
import { html, type Markup } from "../../../text/html.ts";
import { measureDisplayWidth } from "../../../text/display-width.ts";
import { boundsFromZero, scaleTo, ticksOf } from "./scale.ts";
import { cutName, drawLine, drawPath, drawSvg, drawUpright, drawWords, percentText, type Point } from "./svg.ts";

type LineChart = Extract<Chart, { type: "lines" }>;

const plotHeight = 250;
/** From how many points on a curve is drawn without dots. */
const manyPoints = 13;

/** Curves over shares, told apart by colour and by dash; the diagonal is where both axes agree. */
export function drawLines({ axes, diagonal, lines }: LineChart, width: number): Markup {
  const legend = placeLegend(lines, width);
  const [left, right, top] = [52, width - 16, legend.height + 12];
  const bottom = top + plotHeight;
  const across = { min: 0, max: 1, step: 0.2 };
  const up = diagonal
    ? across
    : boundsFromZero(Math.max(0.05, ...lines.flatMap(({ points }) => points.map(([, y]) => y))), 5);
  const [x, y] = [scaleTo(across, left, right), scaleTo(up, bottom, top)];
  const grid = [
    ...ticksOf(up).map(
      (tick) =>
        html`${drawLine({ x: left, y: y(tick) }, { x: right, y: y(tick) }, "grid")}${drawWords({ x: left - 8, y: y(tick) }, percentText(tick), "axis", "end")}`,
    ),
    ...ticksOf(across).map((tick) => drawWords({ x: x(tick), y: bottom + 14 }, percentText(tick), "axis")),
  ];
  const perfect =
    diagonal &&
    drawPath(
      [
        { x: x(0), y: y(0) },
        { x: x(1), y: y(1) },
      ],
      "compared",
    );
  const drawn = lines.map(({ points }, i) =>
    drawCurve(
      points.map(([a, b]) => ({ x: x(a), y: y(b) })),
      i,
    ),
  );
  const names = [
    drawWords({ x: (left + right) / 2, y: bottom + 36 }, axes.x, "axis"),
    drawUpright({ x: 12, y: (top + bottom) / 2 }, axes.y),
  ];
  return drawSvg(width, bottom + 46, [legend.drawn, grid, perfect, drawn, names]);
}

function drawCurve(points: Point[], i: number): Markup {
  const dots =
    points.length < manyPoints &&
    points.map(({ x, y }) => html`<circle class="dot" cx="${Math.round(x)}" cy="${Math.round(y)}" r="3.5"/>`);
  return html`<g class="series-${(i % 6) + 1}">${drawPath(points, "curve")}${dots}</g>`;
}

/** The names of the curves above them, in as many rows as they need. */
function placeLegend(lines: LineChart["lines"], width: number): { drawn: Markup[]; height: number } {
  let [x, row] = [0, 0];
  const drawn = lines.map(({ name }, i) => {
    const shown = cutName(name, 24);
    const wide = 34 + measureDisplayWidth(shown) * 7 + 14;
    if (x > 0 && x + wide > width) [x, row] = [0, row + 1];
    const y = 12 + row * 20;
    const item = html`<g class="series-${(i % 6) + 1}">${drawPath(
      [
        { x, y },
        { x: x + 26, y },
      ],
      "curve",
    )}</g>${drawWords({ x: x + 32, y }, shown, "name", "start")}`;
    x += wide;
    return item;
  });
  return { drawn, height: 20 * (row + 1) };
}
