import type { Chart } from "../../../contract/chart.ts";
import { showHidden } from "../../text/words.ts";
import { sayEstimate } from "./comparison.tsx";
import { useWidth } from "./use-width.ts";

type CostData = Extract<Chart, { type: "cost" }>;
type Place = { x: number; y: number };

const height = 280;
const frame = { left: 52, right: 16, top: 26, bottom: 40 };

/** Quality over cost: a dot for each arm with its interval; control arms are hollow. */
export function CostChart({ chart: { axes, points } }: { chart: CostData }) {
  const [box, width] = useWidth(720);
  const most = Math.max(1e-9, ...points.map(({ cost }) => cost)) * 1.3;
  const values = points.flatMap(({ quality }) => [quality.low, quality.high]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (cost: number) => frame.left + ((width - frame.left - frame.right) * cost) / most;
  const y = (value: number) =>
    height - frame.bottom - ((height - frame.top - frame.bottom) * (value - low)) / Math.max(1e-9, high - low);
  const names = placeNames(points.map(({ name, cost, quality }) => ({ name, x: x(cost), y: y(quality.estimate) })));
  return (
    <div ref={box} className="plot-box">
      <svg className="plot" width={width} height={height} role="img" aria-label={`${axes.quality} over ${axes.cost}`}>
        {[...new Set([low, (low + high) / 2, high])].map((value) => (
          <g key={value}>
            <line className="grid-line" x1={frame.left} x2={width - frame.right} y1={y(value)} y2={y(value)} />
            <text x={frame.left - 8} y={y(value) + 4} textAnchor="end">
              {(value * 100).toFixed(0)}
            </text>
          </g>
        ))}
        <text x={width - frame.right} y={height - 10} textAnchor="end">{`${axes.cost} →`}</text>
        <text x={frame.left} y={14}>{`↑ ${axes.quality}, of 100`}</text>
        <polyline
          className="compared"
          fill="none"
          points={listBest(points)
            .map(({ cost, quality }) => `${x(cost)},${y(quality.estimate)}`)
            .join(" ")}
        />
        {points.map(({ name, group, cost, quality }, at) => (
          <g key={name}>
            <title>{`${name}: ${sayEstimate(quality)}`}</title>
            <line className="range" x1={x(cost)} x2={x(cost)} y1={y(quality.low)} y2={y(quality.high)} />
            <circle className={`estimate ${group}`} cx={x(cost)} cy={y(quality.estimate)} r="5" />
            <text className="name" x={x(cost) + 9} y={(names[at]?.y ?? 0) + 4}>
              {showHidden(name)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** The arms that no cheaper arm beats, by rising cost. */
function listBest(points: CostData["points"]): CostData["points"] {
  const sorted = points.toSorted((a, b) => a.cost - b.cost || b.quality.estimate - a.quality.estimate);
  return sorted.filter(({ quality }, at) =>
    sorted.slice(0, at).every((cheaper) => cheaper.quality.estimate < quality.estimate),
  );
}

/** Names beside their dots; where two would overlap, the later one goes further up. */
export function placeNames(dots: readonly (Place & { name: string })[]): Place[] {
  const placed: (Place & { end: number })[] = [];
  for (const { name, x, y } of dots) {
    const own = { x, y, end: x + 16 + name.length * 7 };
    while (placed.some((one) => own.x < one.end && one.x < own.end && Math.abs(one.y - own.y) < 15)) own.y -= 16;
    placed.push(own);
  }
  return placed;
}
