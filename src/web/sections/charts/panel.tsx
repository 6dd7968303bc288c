import type { Chart } from "../../../contract/chart.ts";
import { showHidden } from "../../text/words.ts";
import { sayEstimate } from "./comparison.tsx";
import { placeNames } from "./cost-chart.tsx";
import { useWidth } from "./use-width.ts";

type Of<T extends Chart["type"]> = Extract<Chart, { type: T }>;

const height = 280;
const frame = { left: 52, right: 16, top: 26, bottom: 40 };

/** Quality over calls: a dot for each panel with its interval, the chosen one filled, and the ceiling as a line. */
export function FrontierChart({ chart: { axes, points, ceiling } }: { chart: Of<"frontier"> }) {
  const [box, width] = useWidth(720);
  const most = Math.max(1e-9, ...points.map(({ calls }) => calls)) * 1.3;
  const values = points.flatMap(({ quality }) => [quality.low, quality.high]).concat(ceiling ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (calls: number) => frame.left + ((width - frame.left - frame.right) * calls) / most;
  const y = (value: number) =>
    height - frame.bottom - ((height - frame.top - frame.bottom) * (value - low)) / Math.max(1e-9, high - low);
  const names = placeNames(points.map(({ name, calls, quality }) => ({ name, x: x(calls), y: y(quality.estimate) })));
  return (
    <div ref={box} className="plot-box">
      <svg className="plot" width={width} height={height} role="img" aria-label={`${axes.quality} over ${axes.calls}`}>
        {[...new Set([low, (low + high) / 2, high])].map((value) => (
          <g key={value}>
            <line className="grid-line" x1={frame.left} x2={width - frame.right} y1={y(value)} y2={y(value)} />
            <text x={frame.left - 8} y={y(value) + 4} textAnchor="end">
              {(value * 100).toFixed(0)}
            </text>
          </g>
        ))}
        <text x={width - frame.right} y={height - 10} textAnchor="end">{`${axes.calls} →`}</text>
        <text x={frame.left} y={14}>{`↑ ${axes.quality}, of 100`}</text>
        {ceiling !== null && (
          <g>
            <line className="compared" x1={frame.left} x2={width - frame.right} y1={y(ceiling)} y2={y(ceiling)} />
            <text x={width - frame.right} y={y(ceiling) - 6} textAnchor="end">
              {`ceiling ${(ceiling * 100).toFixed(1)}: always the right member`}
            </text>
          </g>
        )}
        {points.map(({ name, members, calls, quality, isChosen }, at) => (
          <g key={name}>
            <title>{showHidden(`${name}: ${sayEstimate(quality)}; ${members.join(", ")}`)}</title>
            <line className="range" x1={x(calls)} x2={x(calls)} y1={y(quality.low)} y2={y(quality.high)} />
            <circle
              className={`estimate ${isChosen ? "reference" : "control"}`}
              cx={x(calls)}
              cy={y(quality.estimate)}
              r="5"
            />
            <text className="name" x={x(calls) + 9} y={(names[at]?.y ?? 0) + 4}>
              {showHidden(name)}
            </text>
          </g>
        ))}
      </svg>
    </div>
  );
}

/** A value for each pair: its number on a shade. */
export function HeatMap({ chart: { axes, rows, columns, values, low, high } }: { chart: Of<"heatmap"> }) {
  const shade = (value: number | null) =>
    value === null ? "none" : Math.round(6 * Math.min(1, Math.max(0, (value - low) / Math.max(1e-9, high - low))));
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={`${axes.rows} by ${axes.columns}`}>
      <table className="heatmap">
        <thead>
          <tr>
            <td />
            {columns.map((name) => (
              <th key={name} scope="col">
                {showHidden(name)}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((name, row) => (
            <tr key={name}>
              <th scope="row">{showHidden(name)}</th>
              {columns.map((column, at) => {
                const value = values[row]?.[at] ?? null;
                return (
                  <td key={column} className={`number heat-${shade(value)}`}>
                    {value === null ? "–" : value.toFixed(2).replace("-", "−")}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
