import type { Chart } from "../../contract/chart.ts";
import { Axes, frame } from "./axes.tsx";
import { makeScale } from "./scale.ts";

type Lines = Extract<Chart, { type: "lines" }>;

/** Curves over shares, each in its own dashes, named in a key. */
export function LinesChart({ chart: { axes, diagonal, lines } }: { chart: Lines }) {
  const all = lines.flatMap(({ points }) => points);
  const x = makeScale([0, 1], [frame.left, frame.right]);
  const highest = diagonal ? 1 : Math.max(...all.map(([, share]) => share), 0.1);
  const y = makeScale([0, highest], [frame.bottom, frame.top], 4);
  const key = { left: frame.left + 16, top: diagonal ? frame.top + 20 : frame.bottom - 14 * lines.length - 6 };
  return (
    <>
      <Axes x={x} y={y} names={axes} shares={{ x: true, y: true }} />
      {diagonal && <line className="middle" x1={x.place(0)} y1={y.place(0)} x2={x.place(1)} y2={y.place(1)} />}
      {lines.map(({ name, points }, at) => (
        <g key={name} className={`curve n${at % 4}`}>
          <polyline points={points.map(([a, b]) => `${x.place(a)},${y.place(b)}`).join(" ")} />
          {points.length < 24 && points.map(([a, b], n) => <circle key={n} cx={x.place(a)} cy={y.place(b)} r={3} />)}
          <polyline points={`${key.left},${key.top + at * 16} ${key.left + 26},${key.top + at * 16}`} />
          <text x={key.left + 34} y={key.top + at * 16 + 4}>
            {name}
          </text>
        </g>
      ))}
    </>
  );
}
