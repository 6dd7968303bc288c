import type { Chart } from "../../contract/chart.ts";
import { Axes, frame } from "./axes.tsx";
import { makeScale } from "./scale.ts";

type Cost = Extract<Chart, { type: "cost" }>;

/** Quality over cost: a dot for each arm with its interval; control arms are hollow. */
export function CostChart({ chart: { axes, points } }: { chart: Cost }) {
  const x = makeScale([0, Math.max(...points.map(({ cost }) => cost), 0)], [frame.left, frame.right]);
  const low = Math.min(...points.map(({ quality }) => quality.low));
  const high = Math.max(...points.map(({ quality }) => quality.high));
  const y = makeScale([Math.max(0, low), Math.min(1, high)], [frame.bottom, frame.top], 4);
  const placed = spread(points.map((point) => y.place(point.quality.estimate)));
  return (
    <>
      <Axes x={x} y={y} names={{ x: axes.cost, y: axes.quality }} shares={{ x: false, y: true }} />
      {points.map(({ name, group, cost, quality }, at) => {
        const left = x.place(cost);
        const isRight = left > frame.right - 150;
        return (
          <g key={name} className={`dot ${group}`}>
            <line x1={left} x2={left} y1={y.place(quality.low)} y2={y.place(quality.high)} />
            <circle cx={left} cy={y.place(quality.estimate)} r={6} />
            <text x={left + (isRight ? -12 : 12)} y={(placed[at] ?? 0) + 4} textAnchor={isRight ? "end" : "start"}>
              {name}
            </text>
          </g>
        );
      })}
    </>
  );
}

/** Labels that would lie over one another are moved apart, the upper one upwards. */
function spread(places: number[]): number[] {
  const order = places.map((_, at) => at).toSorted((a, b) => (places[a] ?? 0) - (places[b] ?? 0));
  const moved = [...places];
  let last = -Infinity;
  for (const at of order) {
    moved[at] = Math.max(moved[at] ?? 0, last + 16);
    last = moved[at] ?? 0;
  }
  return moved;
}
