import type { Chart } from "../../contract/chart.ts";
import { frame } from "./axes.tsx";
import { makeScale, writeTick } from "./scale.ts";

type Forest = Extract<Chart, { type: "forest" }>;

export const forestRow = 30;

/** Effects with their intervals, one under another, around the line of no difference. */
export function ForestChart({ chart: { axis, line, rows } }: { chart: Forest }) {
  const edges = rows.flatMap(({ value }) => [value.low, value.high]).concat(line ?? []);
  const left = 190;
  const x = makeScale([Math.min(...edges), Math.max(...edges)], [left, frame.right], 4);
  const bottom = rows.length * forestRow + 12;
  return (
    <>
      <g className="axes">
        {x.ticks.map((tick) => (
          <g key={tick}>
            <line x1={x.place(tick)} x2={x.place(tick)} y1={4} y2={bottom} />
            <text x={x.place(tick)} y={bottom + 18} textAnchor="middle">
              {writeTick(tick, true)}
            </text>
          </g>
        ))}
        <text className="name" x={frame.right} y={bottom + 38} textAnchor="end">
          {axis}
        </text>
      </g>
      {line !== null && <line className="middle" x1={x.place(line)} x2={x.place(line)} y1={4} y2={bottom} />}
      {rows.map(({ name, group, value }, at) => {
        const y = at * forestRow + 22;
        return (
          <g key={name} className={`dot ${group}`}>
            <text x={left - 14} y={y + 4} textAnchor="end">
              {name.length > 24 ? `${name.slice(0, 23)}…` : name}
            </text>
            <line x1={x.place(value.low)} x2={x.place(value.high)} y1={y} y2={y} />
            <circle cx={x.place(value.estimate)} cy={y} r={5} />
          </g>
        );
      })}
    </>
  );
}
