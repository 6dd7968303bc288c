import { type RefObject, useLayoutEffect, useRef, useState } from "react";
import type { Chart, Estimate } from "../../contract/chart.ts";
import { useIsStatic } from "../text/page-context.tsx";
import { showHidden } from "../text/words.ts";

type Pictures = { [T in Chart["type"]]: (props: { chart: Extract<Chart, { type: T }> }) => React.ReactNode };

const pictures: Pictures = {
  forest: ForestChart,
  cost: CostChart,
  flips: FlipChart,
  lines: LineChart,
  frontier: FrontierChart,
  heatmap: HeatMap,
  shares: SharesChart,
  timeline: TimelineChart,
};

/** A picture of numbers, as the section gives them. */
export function ChartView({ chart }: { chart: Chart }) {
  const Picture = pictures[chart.type] as (props: { chart: Chart }) => React.ReactNode;
  return <Picture chart={chart} />;
}

type Of<T extends Chart["type"]> = Extract<Chart, { type: T }>;

/** Estimates with their intervals, one under another, around the line that they are compared with. */
function ForestChart({ chart: { axis, line, rows } }: { chart: Of<"forest"> }) {
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
function sayEstimate({ estimate, low, high }: Estimate): string {
  const points = (value: number) => (value * 100).toFixed(1);
  return `${points(estimate)} (${points(low)} to ${points(high)})`;
}

const height = 280;
const frame = { left: 52, right: 16, top: 26, bottom: 40 };

type Dot = { name: string; hint: string; look: string; cost: number; quality: Estimate };
type ScatterProps = {
  axes: { x: string; y: string };
  dots: readonly Dot[];
  /** Dots that a line joins, by rising cost. */
  best?: readonly Dot[];
  ceiling?: { value: number; says: string } | null;
};

/** Quality over cost: a dot with its interval for each way; hollow dots are controls. */
function Scatter(props: ScatterProps) {
  const [box, width] = useWidth(720);
  const isStatic = useIsStatic();
  // A page that stands alone cannot measure itself: it has a drawing for a wide window and one for a phone.
  if (!isStatic)
    return (
      <div ref={box} className="plot-box">
        <ScatterPlot {...props} width={width} />
      </div>
    );
  return ([720, 340] as const).map((fixed) => (
    <div key={fixed} className={`plot-box ${fixed === 720 ? "for-wide" : "for-phone"}`}>
      <ScatterPlot {...props} width={fixed} />
    </div>
  ));
}

function ScatterPlot({ axes, dots, best = [], ceiling = null, width }: ScatterProps & { width: number }) {
  const most = Math.max(1e-9, ...dots.map(({ cost }) => cost)) * 1.3;
  const values = dots.flatMap(({ quality }) => [quality.low, quality.high]).concat(ceiling?.value ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (cost: number) => frame.left + ((width - frame.left - frame.right) * cost) / most;
  const y = (value: number) =>
    height - frame.bottom - ((height - frame.top - frame.bottom) * (value - low)) / Math.max(1e-9, high - low);
  const names = placeNames(dots.map(({ name, cost, quality }) => ({ name, x: x(cost), y: y(quality.estimate) })));
  return (
    <svg
      className="plot"
      width={width}
      height={height}
      viewBox={`0 0 ${width} ${height}`}
      role="img"
      aria-label={`${axes.y} over ${axes.x}`}
    >
      {[...new Set([low, (low + high) / 2, high])].map((value) => (
        <g key={value}>
          <line className="grid-line" x1={frame.left} x2={width - frame.right} y1={y(value)} y2={y(value)} />
          <text x={frame.left - 8} y={y(value) + 4} textAnchor="end">
            {(value * 100).toFixed(0)}
          </text>
        </g>
      ))}
      <text x={width - frame.right} y={height - 10} textAnchor="end">{`${axes.x} →`}</text>
      <text x={frame.left} y={14}>{`↑ ${axes.y}, of 100`}</text>
      <polyline
        className="compared"
        fill="none"
        points={best.map(({ cost, quality }) => `${x(cost)},${y(quality.estimate)}`).join(" ")}
      />
      {ceiling && (
        <g>
          <line
            className="compared"
            x1={frame.left}
            x2={width - frame.right}
            y1={y(ceiling.value)}
            y2={y(ceiling.value)}
          />
          <text x={width - frame.right} y={y(ceiling.value) + 15} textAnchor="end">
            {ceiling.says}
          </text>
        </g>
      )}
      {dots.map(({ name, hint, look, cost, quality }, at) => (
        <g key={name}>
          <title>{showHidden(hint)}</title>
          <line className="range" x1={x(cost)} x2={x(cost)} y1={y(quality.low)} y2={y(quality.high)} />
          <circle className={`estimate ${look}`} cx={x(cost)} cy={y(quality.estimate)} r="5" />
          <text className="name" x={x(cost) + 9} y={(names[at]?.y ?? 0) + 4}>
            {showHidden(name)}
          </text>
        </g>
      ))}
    </svg>
  );
}

/** Quality over cost, one dot for each arm; a line joins those that no cheaper arm beats. */
function CostChart({ chart: { axes, points } }: { chart: Of<"cost"> }) {
  const dots = points.map(({ name, group, cost, quality }) => ({
    name,
    hint: `${name}: ${sayEstimate(quality)}`,
    look: group,
    cost,
    quality,
  }));
  return <Scatter axes={{ x: axes.cost, y: axes.quality }} dots={dots} best={listBest(dots)} />;
}

/** Quality over calls, one dot for each panel, the chosen one filled; the ceiling is a line. */
function FrontierChart({ chart: { axes, points, ceiling } }: { chart: Of<"frontier"> }) {
  const dots = points.map(({ name, members, calls, quality, isChosen }) => ({
    name,
    hint: `${name}: ${sayEstimate(quality)}; ${members.join(", ")}`,
    look: isChosen ? "reference" : "control",
    cost: calls,
    quality,
  }));
  const line =
    ceiling === null ? null : { value: ceiling, says: `always the right member: ${(ceiling * 100).toFixed(1)}` };
  return <Scatter axes={{ x: axes.calls, y: axes.quality }} dots={dots} best={listBest(dots)} ceiling={line} />;
}

/** The dots that no cheaper one beats, by rising cost. */
function listBest(dots: readonly Dot[]): Dot[] {
  const sorted = dots.toSorted((a, b) => a.cost - b.cost || b.quality.estimate - a.quality.estimate);
  return sorted.filter(({ quality }, at) =>
    sorted.slice(0, at).every((cheaper) => cheaper.quality.estimate < quality.estimate),
  );
}

/** Names beside their dots; where two would overlap, the later one goes further up. */
export function placeNames(dots: readonly { name: string; x: number; y: number }[]): { x: number; y: number }[] {
  const placed: { x: number; y: number; end: number }[] = [];
  for (const { name, x, y } of dots) {
    const own = { x, y, end: x + 16 + name.length * 7 };
    while (placed.some((one) => own.x < one.end && one.x < own.end && Math.abs(one.y - own.y) < 15)) own.y -= 16;
    placed.push(own);
  }
  return placed;
}

/** A value for each pair: its number on a shade. */
function HeatMap({ chart: { axes, rows, columns, values, low, high } }: { chart: Of<"heatmap"> }) {
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

/** Bars of parts that are also a table: every part has its count beside it. */
function SharesChart({ chart: { parts, rows } }: { chart: Of<"shares"> }) {
  const sum = (counts: readonly number[]) => counts.reduce((all, count) => all + count, 0);
  const most = Math.max(1, ...rows.map(({ counts }) => sum(counts)));
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={parts.map(({ name }) => name).join(", ")}>
      <table className="shares">
        <thead>
          <tr>
            <td />
            <td />
            {parts.map(({ name, tone }) => (
              <th key={name} scope="col" className={`number ${tone}`}>
                {name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map(({ name, counts }) => (
            <tr key={name}>
              <th scope="row">{showHidden(name)}</th>
              <td className="bar">
                <svg viewBox="0 0 100 10" preserveAspectRatio="none" aria-hidden="true">
                  {counts.map((count, at) => (
                    <rect
                      key={at}
                      className={`part-${parts[at]?.tone ?? "neutral"}`}
                      x={(100 * sum(counts.slice(0, at))) / most}
                      width={(100 * count) / most}
                      height="10"
                    />
                  ))}
                </svg>
              </td>
              {counts.map((count, at) => (
                <td key={at} className="number">
                  {count}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Round by round: what became right above the line, what became wrong below it. */
function FlipChart({ chart: { rounds } }: { chart: Of<"flips"> }) {
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
function LineChart({ chart: { axes, diagonal, lines } }: { chart: Of<"lines"> }) {
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

/** Time across, a lane for each part, darker where there was more; quoted lines are ticks. */
function TimelineChart({ chart }: { chart: Of<"timeline"> }) {
  const { start, end, window, lanes } = chart;
  const most = Math.max(1, ...lanes.flatMap(({ counts }) => counts));
  const share = (ms: number) => (100 * (ms - start)) / Math.max(1, end - start);
  return (
    <div className="timeline">
      {lanes.map(({ name, counts, total, marks }) => (
        <div key={name} className="lane">
          <span className="lane-name" title={name}>
            {showHidden(name)}
          </span>
          <svg
            viewBox="0 0 100 10"
            preserveAspectRatio="none"
            role="img"
            aria-label={`${name}: ${total} from ${tell(start)} to ${tell(end)}, ${marks.length} lines quoted`}
          >
            {window && (
              <rect
                className="window"
                x={share(window.start)}
                width={Math.max(0.4, share(window.end) - share(window.start))}
                height="10"
              />
            )}
            {counts.map((count, at) =>
              count > 0 ? (
                <rect
                  key={at}
                  className="heat"
                  x={(100 * at) / counts.length}
                  y="2"
                  width={100 / counts.length}
                  height="6"
                  fillOpacity={0.2 + (0.8 * count) / most}
                />
              ) : null,
            )}
            {marks.map(({ at, label }, place) => (
              <line key={place} className="tick" x1={share(at)} x2={share(at)} y1="0" y2="10">
                <title>{showHidden(label)}</title>
              </line>
            ))}
          </svg>
          <span className="number">{total}</span>
        </div>
      ))}
      <div className="lane axis">
        <span />
        <span className="ends">
          <time>{tell(start)}</time>
          <time>{tell(end)}</time>
        </span>
        <span />
      </div>
    </div>
  );
}

function tell(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}

/** How wide a box is, up to a bound: what is drawn in it keeps the size of its letters. */
function useWidth(most: number): [RefObject<HTMLDivElement | null>, number] {
  const box = useRef<HTMLDivElement>(null);
  const [width, setWidth] = useState(most);
  useLayoutEffect(() => {
    const element = box.current;
    if (!element) return undefined;
    const measure = () => setWidth(Math.max(240, Math.min(most, element.clientWidth)));
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => observer.disconnect();
  }, [most]);
  return [box, width];
}
