import type { Chart } from "../../../contract/chart.ts";
import { ForestChart } from "./comparison.tsx";
import { CostChart } from "./cost-chart.tsx";
import { FrontierChart, HeatMap } from "./panel.tsx";
import { FlipChart, LineChart } from "./curves.tsx";
import { TimelineChart } from "./timeline.tsx";

type Pictures = { [T in Chart["type"]]: (props: { chart: Extract<Chart, { type: T }> }) => React.ReactNode };

const pictures: Pictures = {
  forest: ForestChart,
  cost: CostChart,
  flips: FlipChart,
  lines: LineChart,
  frontier: FrontierChart,
  heatmap: HeatMap,
  timeline: TimelineChart,
};

/** A picture of numbers, as the section gives them. */
export function ChartView({ chart }: { chart: Chart }) {
  const Picture = pictures[chart.type] as (props: { chart: Chart }) => React.ReactNode;
  return <Picture chart={chart} />;
}
