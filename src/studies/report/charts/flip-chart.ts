import type { FlipRow } from "../../ledger/flip-ledger.ts";
import { colours } from "./colours.ts";
import { axis, type Chart } from "./draw-chart.ts";

/** Per round: what became right above the line, what became wrong below it. */
export function flipChart(label: string, flips: FlipRow[]): Chart {
  const rounds = [...new Set(flips.map((row) => row.round))].sort((a, b) => a - b);
  const total = (round: number, key: "wrong_to_right" | "right_to_wrong"): number =>
    flips.filter((row) => row.round === round).reduce((sum, row) => sum + row[key], 0);
  const bar = (name: string, colour: string, values: number[]) => ({
    type: "bar",
    name,
    stack: "flips",
    silent: true,
    barMaxWidth: 54,
    itemStyle: { color: colour },
    label: {
      show: true,
      position: "inside",
      color: colours.paper,
      formatter: ({ value }: { value: number }) => (value === 0 ? "" : String(Math.abs(value))),
    },
    data: values,
  });
  return {
    label,
    height: 280,
    option: () => ({
      legend: { top: 0, itemWidth: 14, itemGap: 24, textStyle: { color: colours.ink, fontSize: 12 } },
      grid: { left: 52, right: 16, top: 36, bottom: 46 },
      xAxis: axis("round", { type: "category", data: rounds.map(String), nameGap: 28, splitLine: { show: false } }),
      yAxis: axis("positions", {
        type: "value",
        nameGap: 36,
        minInterval: 1,
        axisLabel: { color: colours.muted, formatter: (value: number) => String(Math.abs(value)) },
      }),
      series: [
        bar(
          "wrong → right",
          colours.good,
          rounds.map((round) => total(round, "wrong_to_right")),
        ),
        bar(
          "right → wrong",
          colours.bad,
          rounds.map((round) => -total(round, "right_to_wrong")),
        ),
      ],
    }),
  };
}
