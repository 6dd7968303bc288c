import type { Interval } from "../../statistics/interval.ts";
import { niceBounds } from "./axis-bounds.ts";
import { colours } from "./colours.ts";
import { axis, type Chart, type ChartOption, percentAxis } from "./draw-chart.ts";

/** One row: a name, an estimate with its interval, and the colour that says what it is. */
export type ForestRow = { name: string; interval: Interval; colour: string };

type Api = {
  value(index: number): number;
  coord(point: [number, number]): [number, number];
};

/** Estimates with intervals, one under another, around a line that they are compared with. */
export function forestChart(label: string, axisName: string, rows: ForestRow[], line: number | null): Chart {
  return {
    label,
    height: 64 + rows.length * 34,
    option: (width) => ({
      grid: { left: width < 500 ? 124 : 190, right: 26, top: 8, bottom: 48 },
      xAxis: percentAxis(axisName, { nameGap: 30, ...niceBounds(valuesOf(rows, line), width < 500 ? 5 : 9) }),
      yAxis: axis("", {
        type: "category",
        inverse: true,
        data: rows.map((row) => row.name),
        axisLabel: { color: colours.ink, fontSize: 13, width: width < 500 ? 118 : 178, overflow: "truncate" },
        splitLine: { show: false },
      }),
      series: [whiskers(rows, line), dots(rows)],
    }),
  };
}

function valuesOf(rows: ForestRow[], line: number | null): number[] {
  return [...rows.flatMap(({ interval }) => [interval.low, interval.high]), ...(line === null ? [] : [line])];
}

function whiskers(rows: ForestRow[], line: number | null): ChartOption {
  return {
    type: "custom",
    silent: true,
    data: rows.map(({ interval }, i) => [interval.low, interval.high, i]),
    renderItem: (_: unknown, api: Api) => {
      const [x1, y] = api.coord([api.value(0), api.value(2)]);
      const [x2] = api.coord([api.value(1), api.value(2)]);
      const style = { stroke: rows[api.value(2)]?.colour, lineWidth: 2, fill: "none" };
      const bar = (x: number): unknown => ({ type: "line", shape: { x1: x, y1: y - 5, x2: x, y2: y + 5 }, style });
      return { type: "group", children: [{ type: "line", shape: { x1, y1: y, x2, y2: y }, style }, bar(x1), bar(x2)] };
    },
    markLine: lineAt(line),
  };
}

function lineAt(line: number | null): ChartOption | undefined {
  if (line === null) return undefined;
  const lineStyle = { color: colours.muted, type: "dashed", width: 1 };
  return { silent: true, symbol: "none", label: { show: false }, lineStyle, data: [{ xAxis: line }] };
}

function dots(rows: ForestRow[]): ChartOption {
  return {
    type: "scatter",
    silent: true,
    symbolSize: 10,
    data: rows.map(({ interval, colour }, i) => ({
      value: [interval.estimate, i],
      itemStyle: { color: colour, opacity: 1 },
    })),
  };
}
