import type { SectionOf } from "../../contract/view.ts";

/** A few values over rounds, as bars with their numbers. */
export function Series({ section }: { section: SectionOf<"series"> }) {
  const most = Math.max(1, ...section.points.map(({ value }) => value));
  return (
    <dl className="pairs">
      {section.points.map(({ label, value }) => (
        <div key={label} className="bar-row">
          <dt>{label}</dt>
          <dd className="sure">
            <span className="number">{Number(value.toFixed(2))}</span>
            <svg className="track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
              <rect className="track-fill" width={(100 * value) / most} height="8" />
            </svg>
          </dd>
        </div>
      ))}
    </dl>
  );
}
