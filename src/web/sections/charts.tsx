import type { Chart } from "../../contract/view.ts";
import { formatRange, valueText } from "../../text/format.ts";
import { showHidden } from "../text/words.ts";

type Pictures = { [T in Chart["type"]]: (props: { chart: Extract<Chart, { type: T }> }) => React.ReactNode };

const pictures: Pictures = {
  cost: CostChart,
  line: LineChart,
  timeline: TimelineChart,
};

export function ChartView({ chart }: { chart: Chart }) {
  const Picture = pictures[chart.type] as (props: { chart: Chart }) => React.ReactNode;
  return <Picture chart={chart} />;
}

type Of<T extends Chart["type"]> = Extract<Chart, { type: T }>;

const [width, height] = [720, 280];
const frame = { left: 52, right: 16, top: 26, bottom: 40 };
const across = width - frame.left - frame.right;

/** From a share of the drawing's width or height to where it is drawn. */
const placeX = (share: number): number => frame.left + across * share;
const placeY = (share: number): number => height - frame.bottom - (height - frame.top - frame.bottom) * share;

type PlotProps = { label: string; top: string; ticks: [share: number, name: string][]; children: React.ReactNode };

/** Axes with their names; what is measured is drawn inside. */
function Plot({ label, top, ticks, children }: PlotProps) {
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={label}>
      <svg className="plot" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
        {ticks.map(([share, name]) => (
          <g key={name}>
            <line className="grid-line" x1={placeX(0)} x2={placeX(1)} y1={placeY(share)} y2={placeY(share)} />
            <text x={frame.left - 8} y={placeY(share) + 4} textAnchor="end">
              {name}
            </text>
          </g>
        ))}
        <text x={frame.left} y={14}>{`↑ ${top}`}</text>
        {children}
      </svg>
    </div>
  );
}

function CostChart({ chart: { axes, points } }: { chart: Of<"cost"> }) {
  const most = Math.max(1e-9, ...points.map(({ cost }) => cost)) * 1.3;
  const values = points.flatMap(({ quality }) => [quality.low, quality.high]);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (cost: number) => placeX(cost / most);
  const y = (value: number) => placeY((value - low) / Math.max(1e-9, high - low));
  const names = placeNames(points.map(({ name, cost, quality }) => ({ name, x: x(cost), y: y(quality.estimate) })));
  const ticks = [0, 0.5, 1].map((share): [number, string] => [share, (100 * (low + share * (high - low))).toFixed(0)]);
  return (
    <Plot
      label={`${axes.quality} over ${axes.cost}`}
      top={`${axes.quality}, of 100`}
      ticks={high > low ? ticks : ticks.slice(0, 1)}
    >
      <text x={placeX(1)} y={height - 10} textAnchor="end">{`${axes.cost} →`}</text>
      <polyline
        className="compared"
        fill="none"
        points={listBest(points)
          .map(({ cost, quality }) => `${x(cost)},${y(quality.estimate)}`)
          .join(" ")}
      />
      {points.map(({ name, group, cost, quality }, at) => (
        <g key={name}>
          <title>{showHidden(`${name}: ${valueText(quality.estimate)} (${formatRange(quality)})`)}</title>
          <line className="range" x1={x(cost)} x2={x(cost)} y1={y(quality.low)} y2={y(quality.high)} />
          <circle className={`estimate ${group}`} cx={x(cost)} cy={y(quality.estimate)} r="5" />
          <text className="name" x={x(cost) + 9} y={(names[at]?.y ?? 0) + 4}>
            {showHidden(name)}
          </text>
        </g>
      ))}
    </Plot>
  );
}

function LineChart({ chart: { says, points } }: { chart: Of<"line"> }) {
  const ends = [points[0]?.name ?? "", points.at(-1)?.name ?? ""].map(showHidden);
  const line = points.map(({ value }, at) => `${placeX(at / Math.max(1, points.length - 1))},${placeY(value)}`);
  const ticks = [0, 0.5, 1].map((share): [number, string] => [share, `${share * 100}%`]);
  return (
    <Plot label={says} top={says} ticks={ticks}>
      <text x={frame.left} y={height - 10}>
        {ends[0]}
      </text>
      <text x={placeX(1)} y={height - 10} textAnchor="end">
        {ends[1]}
      </text>
      <polyline className="range" fill="none" points={line.join(" ")} />
    </Plot>
  );
}

function listBest(points: Of<"cost">["points"]): Of<"cost">["points"] {
  const sorted = points.toSorted((a, b) => a.cost - b.cost || b.quality.estimate - a.quality.estimate);
  return sorted.filter(({ quality }, at) =>
    sorted.slice(0, at).every((cheaper) => cheaper.quality.estimate < quality.estimate),
  );
}

export function placeNames(dots: readonly { name: string; x: number; y: number }[]): { x: number; y: number }[] {
  const placed: { x: number; y: number; end: number }[] = [];
  for (const { name, x, y } of dots) {
    const own = { x, y, end: x + 16 + name.length * 7 };
    while (placed.some((one) => own.x < one.end && one.x < own.end && Math.abs(one.y - own.y) < 15)) own.y -= 16;
    placed.push(own);
  }
  return placed;
}

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
            aria-label={`${name}: ${total} from ${formatInstant(start)} to ${formatInstant(end)}, ${marks.length} lines quoted`}
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
          <time>{formatInstant(start)}</time>
          <time>{formatInstant(end)}</time>
        </span>
        <span />
      </div>
    </div>
  );
}

function formatInstant(ms: number): string {
  return new Date(ms).toISOString().slice(11, 19);
}
