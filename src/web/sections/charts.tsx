import type { Chart, Estimate } from "../../contract/view.ts";
import { showHidden } from "../text/words.ts";

type Pictures = { [T in Chart["type"]]: (props: { chart: Extract<Chart, { type: T }> }) => React.ReactNode };

const pictures: Pictures = {
  cost: CostChart,
  line: LineChart,
  shares: SharesChart,
  timeline: TimelineChart,
};

export function ChartView({ chart }: { chart: Chart }) {
  const Picture = pictures[chart.type] as (props: { chart: Chart }) => React.ReactNode;
  return <Picture chart={chart} />;
}

type Of<T extends Chart["type"]> = Extract<Chart, { type: T }>;

function sayEstimate({ estimate, low, high }: Estimate): string {
  const points = (value: number) => (value * 100).toFixed(1);
  return `${points(estimate)} (${points(low)} to ${points(high)})`;
}

const [width, height] = [720, 280];
const frame = { left: 52, right: 16, top: 26, bottom: 40 };

function CostChart({ chart: { axes, points, ceiling } }: { chart: Of<"cost"> }) {
  const most = Math.max(1e-9, ...points.map(({ cost }) => cost)) * 1.3;
  const values = points.flatMap(({ quality }) => [quality.low, quality.high]).concat(ceiling ?? []);
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const x = (cost: number) => frame.left + ((width - frame.left - frame.right) * cost) / most;
  const y = (value: number) =>
    height - frame.bottom - ((height - frame.top - frame.bottom) * (value - low)) / Math.max(1e-9, high - low);
  const names = placeNames(points.map(({ name, cost, quality }) => ({ name, x: x(cost), y: y(quality.estimate) })));
  const label = `${axes.quality} over ${axes.cost}`;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={label}>
      <svg className="plot" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={label}>
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
        {ceiling !== undefined && (
          <g>
            <line className="compared" x1={frame.left} x2={width - frame.right} y1={y(ceiling)} y2={y(ceiling)} />
            <text x={frame.left + 4} y={y(ceiling) + 15}>
              {`always the right member: ${(ceiling * 100).toFixed(1)}`}
            </text>
          </g>
        )}
        {points.map(({ name, group, cost, quality }, at) => (
          <g key={name}>
            <title>{showHidden(`${name}: ${sayEstimate(quality)}`)}</title>
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

function LineChart({ chart: { says, points } }: { chart: Of<"line"> }) {
  const x = (at: number) => frame.left + ((width - frame.left - frame.right) * at) / Math.max(1, points.length - 1);
  const y = (value: number) => height - frame.bottom - (height - frame.top - frame.bottom) * value;
  return (
    <div className="scroll" tabIndex={0} role="region" aria-label={says}>
      <svg className="plot" viewBox={`0 0 ${width} ${height}`} role="img" aria-label={says}>
        {[0, 0.5, 1].map((value) => (
          <g key={value}>
            <line className="grid-line" x1={frame.left} x2={width - frame.right} y1={y(value)} y2={y(value)} />
            <text x={frame.left - 8} y={y(value) + 4} textAnchor="end">{`${value * 100}%`}</text>
          </g>
        ))}
        <text x={frame.left} y={14}>{`↑ ${says}`}</text>
        <text x={frame.left} y={height - 10}>
          {showHidden(points[0]?.name ?? "")}
        </text>
        <text x={width - frame.right} y={height - 10} textAnchor="end">
          {showHidden(points.at(-1)?.name ?? "")}
        </text>
        <polyline
          className="range"
          fill="none"
          points={points.map(({ value }, at) => `${x(at)},${y(value)}`).join(" ")}
        />
      </svg>
    </div>
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
