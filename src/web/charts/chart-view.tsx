import type { Chart } from "../../contract/chart.ts";
import { frame } from "./axes.tsx";
import { CostChart } from "./cost-chart.tsx";
import { FlipsChart } from "./flips-chart.tsx";
import { ForestChart, forestRow } from "./forest-chart.tsx";
import { LinesChart } from "./lines-chart.tsx";

/** A picture of numbers that a table says too; one with nothing in it is not drawn. */
export function ChartView({ chart, title }: { chart: Chart; title: string }) {
  if (countMarks(chart) === 0) return null;
  const height =
    chart.type === "forest" ? chart.rows.length * forestRow + 56 : chart.type === "flips" ? 226 : frame.height;
  return (
    <div className="chart-box" tabIndex={0} role="region" aria-label={title}>
      <svg className="chart" viewBox={`0 0 ${frame.width} ${height}`} role="img" aria-label={title}>
        {chart.type === "cost" && <CostChart chart={chart} />}
        {chart.type === "forest" && <ForestChart chart={chart} />}
        {chart.type === "flips" && <FlipsChart chart={chart} />}
        {chart.type === "lines" && <LinesChart chart={chart} />}
      </svg>
    </div>
  );
}

function countMarks(chart: Chart): number {
  if (chart.type === "cost") return chart.points.length;
  if (chart.type === "forest") return chart.rows.length;
  return chart.type === "flips" ? chart.rounds.length : chart.lines.flatMap(({ points }) => points).length;
}
