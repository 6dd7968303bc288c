import { colours, series } from "./colours.ts";
import { type Chart, percentAxis } from "./draw-chart.ts";

export type Line = { name: string; points: [number, number][]; symbols?: boolean };

const dashes = ["solid", "dashed", "dotted", "solid", "dashed", "dotted"] as const;

/** Curves over 0..1: calibration (with the diagonal of perfect calibration) and risk over coverage. */
export function lineChart(label: string, names: { x: string; y: string }, lines: Line[], diagonal: boolean): Chart {
  return {
    label,
    height: 330,
    option: (width) => ({
      legend: {
        top: 0,
        itemWidth: 18,
        itemGap: 18,
        textStyle: { color: colours.ink, fontSize: 12 },
        data: lines.map((line) => line.name),
      },
      grid: { left: 52, right: 20, top: width < 500 && lines.length > 3 ? 62 : 40, bottom: 48 },
      xAxis: percentAxis(names.x, { min: 0, max: 1, nameGap: 30 }),
      yAxis: percentAxis(names.y, { min: 0, nameGap: 34, ...(diagonal ? { max: 1 } : {}) }),
      series: [...(diagonal ? [diagonalLine] : []), ...lines.map(lineSeries)],
    }),
  };
}

const diagonalLine = {
  type: "line",
  name: "perfect",
  symbol: "none",
  silent: true,
  lineStyle: { color: colours.muted, type: "dashed", width: 1 },
  data: [
    [0, 0],
    [1, 1],
  ],
};

function lineSeries({ name, points, symbols }: Line, i: number) {
  const colour = series[i % series.length] as string;
  return {
    type: "line",
    name,
    silent: true,
    symbol: symbols ? "circle" : "none",
    symbolSize: 8,
    itemStyle: { color: colour },
    lineStyle: { color: colour, width: 2, type: dashes[i % dashes.length] },
    data: points,
  };
}
