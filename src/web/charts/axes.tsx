import { type Scale, writeTick } from "./scale.ts";

/** The room inside a picture: its edges in the picture's own units. */
export const frame = { width: 640, height: 320, left: 64, right: 616, top: 16, bottom: 272 };

type Props = { x: Scale; y: Scale; names: { x: string; y: string }; shares: { x: boolean; y: boolean } };

/** Two axes with their names and light lines at round numbers. */
export function Axes({ x, y, names, shares }: Props) {
  const { left, right, top, bottom } = frame;
  return (
    <g className="axes">
      {y.ticks.map((tick) => (
        <g key={tick}>
          <line x1={left} x2={right} y1={y.place(tick)} y2={y.place(tick)} />
          <text x={left - 8} y={y.place(tick) + 4} textAnchor="end">
            {writeTick(tick, shares.y)}
          </text>
        </g>
      ))}
      {x.ticks.map((tick) => (
        <text key={tick} x={x.place(tick)} y={bottom + 20} textAnchor="middle">
          {writeTick(tick, shares.x)}
        </text>
      ))}
      <text className="name" x={right} y={bottom + 40} textAnchor="end">
        {names.x}
      </text>
      <text className="name" x={left} y={top - 4}>
        {names.y}
      </text>
    </g>
  );
}
