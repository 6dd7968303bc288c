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
            aria-label={`${axis} of ${name}: ${sayEstimate(value)}`}
          >
            {line !== null && <line className="compared" x1={x(line)} x2={x(line)} y1="0" y2="10" />}
            <line className="range" x1={x(value.low)} x2={x(value.high)} y1="5" y2="5" />
            <rect className={`estimate ${group}`} x={x(value.estimate) - 0.6} y="2" width="1.2" height="6" />
          </svg>
          <span className="number">{sayEstimate(value)}</span>
        </div>
      ))}
    </div>
  );
}

/** An estimate with its interval, of 100. */
export function sayEstimate({ estimate, low, high }: Estimate): string {
  const points = (value: number) => (value * 100).toFixed(1);
  return `${points(estimate)} (${points(low)} to ${points(high)})`;
}
