import type { Chart } from "../../../contract/chart.ts";
import { showHidden } from "../../text/words.ts";

type Of<T extends Chart["type"]> = Extract<Chart, { type: T }>;

/** Round by round: what became right above the line, what became wrong below it. */
export function FlipChart({ chart: { rounds } }: { chart: Of<"flips"> }) {
  const most = Math.max(1, ...rounds.flatMap(({ fixed, broken }) => [fixed, broken]));
  const room = 560 / Math.max(1, rounds.length);
  return (
    <svg
      className="plot"
      viewBox="0 0 640 220"
      role="img"
      aria-label="Positions that became right or wrong, round by round"
    >
      <line className="base" x1="40" x2="600" y1="110" y2="110" />
      {rounds.map(({ round, fixed, broken }, at) => {
        const x = 40 + (at + 0.5) * room;
        return (
          <g key={round}>
            <rect className="fixed" x={x - 18} y={110 - (80 * fixed) / most} width="36" height={(80 * fixed) / most} />
            <rect className="broken" x={x - 18} y="110" width="36" height={(80 * broken) / most} />
            <text x={x} y={104 - (80 * fixed) / most} textAnchor="middle">{`+${fixed}`}</text>
            <text x={x} y={126 + (80 * broken) / most} textAnchor="middle">{`−${broken}`}</text>
            <text x={x} y="214" textAnchor="middle">{`round ${round}`}</text>
          </g>
        );
      })}
    </svg>
  );
}

/** Curves over shares, each with its own dash; a diagonal where both axes should agree. */
export function LineChart({ chart: { axes, diagonal, lines } }: { chart: Of<"lines"> }) {
  const x = (value: number) => 40 + 300 * value;
  const y = (value: number) => 320 - 300 * value;
  return (
    <svg className="plot small-plot" viewBox="0 0 520 350" role="img" aria-label={`${axes.y} over ${axes.x}`}>
      <path className="base" d="M40,20 V320 H340" fill="none" />
      {diagonal && <line className="compared" x1={x(0)} y1={y(0)} x2={x(1)} y2={y(1)} />}
      <text x="340" y="342" textAnchor="end">{`${axes.x} →`}</text>
      <text x="40" y="14">{`↑ ${axes.y}`}</text>
      {lines.map(({ name, points }, at) => (
        <g key={name} className={`curve-${at % 6}`}>
          <path
            className="curve"
            d={points.map(([px, py], place) => `${place === 0 ? "M" : "L"}${x(px)},${y(py)}`).join("")}
          />
          <line className="curve" x1="356" x2="376" y1={36 + at * 20} y2={36 + at * 20} />
          <text x="382" y={40 + at * 20}>
            {showHidden(name.slice(0, 24))}
          </text>
        </g>
      ))}
    </svg>
  );
}
