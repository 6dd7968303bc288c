import type { Chart, Estimate } from "../../../contract/chart.ts";
import { showHidden } from "../../text/words.ts";

type Of<T extends Chart["type"]> = Extract<Chart, { type: T }>;

/** Estimates with their intervals, one under another, around the line that they are compared with. */
export function ForestChart({ chart: { axis, line, rows } }: { chart: Of<"forest"> }) {
  const ends = rows.flatMap(({ value }) => [value.low, value.high]).concat(line ?? []);
  const [low, high] = [Math.min(...ends), Math.max(...ends)];
  const x = (value: number) => 2 + (96 * (value - low)) / Math.max(1e-9, high - low);
  return (
    <div className="timeline">
      {rows.map(({ name, group, value }) => (
        <div key={name} className="lane">
          <span className="lane-name" title={name}>
            {showHidden(name)} <span className="faint">{group === "arm" ? "" : group}</span>
          </span>
          <svg
            viewBox="0 0 100 10"
            preserveAspectRatio="none"
            role="img"
            aria-label={`${axis} of ${name}: ${say(value)}`}
          >
            {line !== null && <line className="compared" x1={x(line)} x2={x(line)} y1="0" y2="10" />}
            <line className="range" x1={x(value.low)} x2={x(value.high)} y1="5" y2="5" />
            <rect className={`estimate ${group}`} x={x(value.estimate) - 0.6} y="2" width="1.2" height="6" />
          </svg>
          <span className="number">{say(value)}</span>
        </div>
      ))}
    </div>
  );
}

/** Quality over cost: a dot for each arm with its interval; control arms are hollow. */
export function CostChart({ chart: { axes, points } }: { chart: Of<"cost"> }) {
  const most = Math.max(1e-9, ...points.map(({ cost }) => cost)) * 1.08;
  const values = points.flatMap(({ quality }) => [quality.low, quality.high]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (cost: number) => 40 + (540 * cost) / most;
  const y = (value: number) => 230 - (210 * (value - low)) / Math.max(1e-9, high - low);
  return (
    <svg className="plot" viewBox="0 0 640 270" role="img" aria-label={`${axes.quality} over ${axes.cost}`}>
      <line className="base" x1="40" x2="600" y1="240" y2="240" />
      <text x="600" y="262" textAnchor="end">{`${axes.cost} →`}</text>
      <text x="40" y="12">{`↑ ${axes.quality}`}</text>
      {points.map(({ name, group, cost, quality }) => (
        <g key={name}>
          <title>{`${name}: ${say(quality)}`}</title>
          <line className="range" x1={x(cost)} x2={x(cost)} y1={y(quality.low)} y2={y(quality.high)} />
          <circle className={`estimate ${group}`} cx={x(cost)} cy={y(quality.estimate)} r="5" />
          <text x={x(cost) + 9} y={y(quality.estimate) + 4}>
            {showHidden(name)}
          </text>
        </g>
      ))}
    </svg>
  );
}

function say({ estimate, low, high }: Estimate): string {
  const points = (value: number) => (value * 100).toFixed(1);
  return `${points(estimate)} (${points(low)} to ${points(high)})`;
}
