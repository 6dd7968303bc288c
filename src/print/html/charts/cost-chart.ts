import type { Chart } from "../../../contract/chart.ts";
import { html, type Markup, type Part } from "../../../text/html.ts";
import { formatShortCount } from "../../../text/number-text.ts";
import { labelSides, type LabelSide } from "./label-sides.ts";
import { boundsFromZero, niceBounds, scaleTo, ticksOf } from "./scale.ts";
import { drawLine, drawMark, drawPath, drawSvg, drawUpright, drawWords, percentText, type Point } from "./svg.ts";

type CostChart = Extract<Chart, { type: "cost" }>;
type CostPoint = CostChart["points"][number];

const height = 340;

/** Quality over cost; the dashed line joins the arms that no cheaper arm beats. */
export function drawCost({ axes, points }: CostChart, width: number): Markup {
  const [left, right, top, bottom] = [52, width - 24, 20, height - 54];
  const qualities = points.flatMap(({ quality }) => [quality.low, quality.high]);
  const [across, up] = [
    boundsFromZero(Math.max(...points.map(({ cost }) => cost)) * 1.05, width < 500 ? 4 : 8),
    niceBounds(qualities, 8),
  ];
  const [x, y] = [scaleTo(across, left, right), scaleTo(up, bottom, top)];
  const place = ({ cost, quality }: CostPoint): Point => ({ x: x(cost), y: y(quality.estimate) });
  const grid = [
    ...ticksOf(up).map(
      (tick) =>
        html`${drawLine({ x: left, y: y(tick) }, { x: right, y: y(tick) }, "grid")}${drawWords({ x: left - 8, y: y(tick) }, percentText(tick), "axis", "end")}`,
    ),
    ...ticksOf(across).map((tick) => drawWords({ x: x(tick), y: bottom + 14 }, costText(tick), "axis")),
  ];
  const front = drawPath(paretoFront(points).map(place), "compared", true);
  const sides = labelSides(
    points.map((point) => ({ name: point.name, at: [place(point).x, place(point).y] })),
    width,
  );
  const drawn = points.map((point, i) => {
    const at = place(point);
    const range = drawLine({ x: at.x, y: y(point.quality.low) }, { x: at.x, y: y(point.quality.high) }, "range faint");
    return html`<g class="${point.group}">${range}${drawMark(at, point.group)}</g>${drawLabel(point.name, at, sides[i] ?? null)}`;
  });
  const names = [
    drawWords({ x: (left + right) / 2, y: height - 14 }, axes.cost, "axis"),
    drawUpright({ x: 12, y: (top + bottom) / 2 }, `${axes.quality}, per cent`),
  ];
  return drawSvg(width, height, [grid, front, drawn, names]);
}

function drawLabel(name: string, { x, y }: Point, side: LabelSide | null): Part {
  if (side === "right") return drawWords({ x: x + 10, y }, name, "name", "start");
  if (side === "left") return drawWords({ x: x - 10, y }, name, "name", "end");
  return side !== null && drawWords({ x, y: side === "top" ? y - 17 : y + 17 }, name, "name");
}

/** The arms that no arm of the same or lower cost beats, by rising cost. */
export function paretoFront(points: readonly CostPoint[]): CostPoint[] {
  const sorted = points.toSorted((a, b) => a.cost - b.cost || b.quality.estimate - a.quality.estimate);
  let best = Number.NEGATIVE_INFINITY;
  return sorted.filter((point) => {
    const better = point.quality.estimate > best;
    best = Math.max(best, point.quality.estimate);
    return better;
  });
}

function costText(value: number): string {
  return value < 10 ? String(Number(value.toFixed(2))) : formatShortCount(value);
}
