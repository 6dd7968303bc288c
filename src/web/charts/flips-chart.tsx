import type { Chart } from "../../contract/chart.ts";
import { frame } from "./axes.tsx";

type Flips = Extract<Chart, { type: "flips" }>;

/** What became right above the line, what became wrong below it, round by round. */
export function FlipsChart({ chart: { rounds } }: { chart: Flips }) {
  const most = Math.max(1, ...rounds.flatMap(({ fixed, broken }) => [fixed, broken]));
  const middle = 110;
  const height = (count: number): number => (count / most) * 78;
  const step = Math.min(120, (frame.right - frame.left) / Math.max(1, rounds.length));
  return (
    <>
      <text className="name" x={0} y={middle - 20}>
        fixed
      </text>
      <text className="name" x={0} y={middle + 28}>
        broken
      </text>
      {rounds.map(({ round, fixed, broken }, at) => {
        const left = frame.left + at * step;
        return (
          <g key={round} className="flips">
            <rect className="fixed" x={left} y={middle - height(fixed)} width={44} height={height(fixed)} />
            <rect className="broken" x={left} y={middle} width={44} height={height(broken)} />
            <text x={left + 22} y={middle - height(fixed) - 6} textAnchor="middle">
              {fixed}
            </text>
            <text x={left + 22} y={middle + height(broken) + 16} textAnchor="middle">
              {broken}
            </text>
            <text className="name" x={left + 22} y={middle + 108} textAnchor="middle">{`round ${round}`}</text>
          </g>
        );
      })}
      <line className="middle" x1={frame.left - 10} x2={frame.right} y1={middle} y2={middle} />
    </>
  );
}
