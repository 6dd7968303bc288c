import type { Interval } from "../../statistics/interval.ts";
import { shortCount } from "../../../text/number-text.ts";
import { niceBounds } from "./axis-bounds.ts";
import { colours } from "./colours.ts";
import { axis, type Chart, percentAxis } from "./draw-chart.ts";
import { type LabelSide, labelSides } from "./label-sides.ts";

export type CostPoint = { name: string; cost: number; quality: Interval; colour: string };

type Api = { value(index: number): number; coord(point: [number, number]): [number, number] };

/** Quality over cost; the line joins the arms that no cheaper arm beats. Points given later are drawn over earlier ones. */
export function costChart(label: string, costName: string, qualityName: string, points: CostPoint[]): Chart {
  const bounds = niceBounds(
    points.flatMap(({ quality }) => [quality.low, quality.high]),
    8,
  );
  const most = Math.max(1e-9, ...points.map((point) => point.cost)) * 1.08;
  return {
    label,
    height,
    option: (width) => {
      const plot = { x: 52, y: 24, width: width - 76, height: height - 74 };
      const place = (point: CostPoint): [number, number] => [
        plot.x + (point.cost / most) * plot.width,
        plot.y + ((bounds.max - point.quality.estimate) / (bounds.max - bounds.min)) * plot.height,
      ];
      const formatter = (value: number): string => (value < 10 ? String(Number(value.toFixed(2))) : shortCount(value));
      return {
        grid: { left: plot.x, right: 24, top: plot.y, bottom: 50 },
        xAxis: axis(costName, {
          type: "value",
          nameGap: 32,
          min: 0,
          max: most,
          splitNumber: width < 500 ? 3 : 6,
          axisLabel: { color: colours.muted, fontSize: 12, formatter, showMaxLabel: false },
        }),
        yAxis: percentAxis(qualityName, { nameGap: 34, ...bounds }),
        series: [
          frontLine(points),
          bars(points),
          dots(
            points,
            labelSides(
              points.map((point) => ({ name: point.name, at: place(point) })),
              width,
            ),
          ),
        ],
      };
    },
  };
}

const height = 340;

/** The arms that no arm of the same or lower cost beats, by rising cost. */
export function paretoFront(points: CostPoint[]): CostPoint[] {
  const sorted = points.toSorted((a, b) => a.cost - b.cost || b.quality.estimate - a.quality.estimate);
  let best = Number.NEGATIVE_INFINITY;
  return sorted.filter((point) => {
    const better = point.quality.estimate > best;
    best = Math.max(best, point.quality.estimate);
    return better;
  });
}

function frontLine(points: CostPoint[]) {
  return {
    type: "line",
    step: "end",
    symbol: "none",
    silent: true,
    lineStyle: { color: colours.muted, width: 1, type: "dashed" },
    data: paretoFront(points).map((point) => [point.cost, point.quality.estimate]),
  };
}

function bars(points: CostPoint[]) {
  return {
    type: "custom",
    silent: true,
    data: points.map(({ cost, quality }, i) => [cost, quality.low, quality.high, i]),
    encode: { x: 0, y: [1, 2] },
    renderItem: (_: unknown, api: Api) => {
      const [x, y1] = api.coord([api.value(0), api.value(1)]);
      const [, y2] = api.coord([api.value(0), api.value(2)]);
      const style = { stroke: points[api.value(3)]?.colour, lineWidth: 1.5, opacity: 0.6, fill: "none" };
      return { type: "line", shape: { x1: x, y1, x2: x, y2 }, style };
    },
  };
}

function dots(points: CostPoint[], sides: (LabelSide | null)[]) {
  return {
    type: "scatter",
    silent: true,
    symbolSize: 11,
    data: points.map(({ name, cost, quality, colour }, i) => ({
      name,
      value: [cost, quality.estimate],
      itemStyle: { color: colour, opacity: 1 },
      label: {
        show: sides[i] !== null,
        formatter: "{b}",
        position: sides[i] ?? "right",
        color: colours.ink,
        fontSize: 12,
      },
    })),
  };
}
