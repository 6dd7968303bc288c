import type { Chart } from "../../../contract/chart.ts";
import { CostChart, ForestChart } from "./comparison.tsx";
import { FlipChart, LineChart } from "./curves.tsx";
import { TimelineChart } from "./timeline.tsx";

/** A picture of numbers, as the section gives them. */
export function ChartView({ chart }: { chart: Chart }) {
  switch (chart.type) {
    case "forest":
      return <ForestChart chart={chart} />;
    case "cost":
      return <CostChart chart={chart} />;
    case "flips":
      return <FlipChart chart={chart} />;
    case "lines":
      return <LineChart chart={chart} />;
    case "timeline":
      return <TimelineChart chart={chart} />;
  }
}
