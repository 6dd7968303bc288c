import type { Chart } from "../../../contract/chart.ts";
import { showHidden } from "../../text/words.ts";

type Timeline = Extract<Chart, { type: "timeline" }>;

/** Time across, a lane for each part, darker where there was more; quoted lines are ticks. */
export function TimelineChart({ chart }: { chart: Timeline }) {
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
