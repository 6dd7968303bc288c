import type { SectionOf } from "../../contract/view.ts";
import { guessLang, showHidden } from "../text/words.ts";

/** A text with what was quoted from it marked; hovering a mark says what it stands for. */
export function Highlight({ section }: { section: SectionOf<"highlight"> }) {
  const { text, marks } = section;
  const parts: React.ReactNode[] = [];
  let at = 0;
  for (const mark of [...marks].sort((a, b) => a.start - b.start)) {
    if (mark.start < at) continue;
    parts.push(showHidden(text.slice(at, mark.start)));
    parts.push(
      <mark key={mark.start} className={mark.tone ?? "neutral"} title={mark.label}>
        {showHidden(text.slice(mark.start, mark.end))}
        {mark.kind === "subject" && <sup aria-hidden="true">{signs[mark.tone ?? "neutral"]}</sup>}
      </mark>,
    );
    at = mark.end;
  }
  parts.push(showHidden(text.slice(at)));
  return (
    <p className="marked" lang={guessLang(text)}>
      {parts}
    </p>
  );
}

/** A second sign beside the colour. */
const signs = { good: "+", bad: "−", neutral: "·", warn: "!" };
