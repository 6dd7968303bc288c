import type { SectionOf } from "../../contract/view.ts";
import { guessLang, showHidden } from "../text/words.ts";

/** What was decided, how surely, and why: the first thing a reader sees. */
export function Verdict({ section }: { section: SectionOf<"verdict"> }) {
  const { answer, tone, confidence, points } = section;
  return (
    <div className={`verdict ${tone}`}>
      <p className="answer" lang={guessLang(answer)}>
        {showHidden(answer)}
      </p>
      {confidence !== undefined && <Sure value={confidence} />}
      {points.length > 0 && (
        <ul>
          {points.map((point, at) => (
            <li key={at} lang={guessLang(point)}>
              {showHidden(point)}
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** A confidence as a bar with its number. */
export function Sure({ value }: { value: number }) {
  return (
    <div className="sure">
      <span className="secondary">sure</span>
      <span className="number">{value.toFixed(2)}</span>
      <svg className="track" viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect className="track-fill" width={Math.round(Math.min(1, Math.max(0, value)) * 100)} height="8" />
      </svg>
    </div>
  );
}
