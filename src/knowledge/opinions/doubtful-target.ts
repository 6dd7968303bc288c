import { type AspectView, isNamedSurely, isRuledOut } from "./aspect-views.ts";
import type { LanguageCode } from "./language/language.ts";
import { readerOf } from "./reader.ts";
import type { Span } from "./reading/reading.ts";

/** True for a term that reviews do not judge, to which this text ties no opinion by a relation, and neither does what was learnt of it. */
export function isDoubtfulTarget(text: string, language: LanguageCode, view: AspectView): boolean {
  if (view.spans.length === 0 || isListed(text, language, view.spans)) return false;
  if (isRuledOut(view, "neutral") && (isNamedSurely(view) || view.learnt?.opinions.length !== 0)) return false;
  if (view.scoped.polarity === null) return true;
  /** Whoever named it surely is borne out by a text that as a whole says the same. */
  if (isNamedSurely(view) && view.scoped.polarity === view.whole.polarity) return false;
  return /^(loose|nearest|elsewhere|no opinion)$/.test(view.scoped.via);
}

/** True when the head of the term at one of these places is a word for something that reviews judge. */
function isListed(text: string, language: LanguageCode, spans: readonly Span[]): boolean {
  const reader = readerOf(language);
  const heads = reader
    .candidates(text)
    .filter((candidate) => spans.some((span) => candidate.span.start <= span.start && candidate.span.end >= span.end))
    .map((candidate) => candidate.head);
  const words = spans.map((span) => text.slice(span.start, span.end).toLowerCase());
  const last = words.map((word) => word.split(/\s+/).at(-1) ?? word);
  const isKnown = (word: string) => reader.groupOf(word) !== undefined;
  return [...heads, ...words, ...last].some((word) => isKnown(word) || isKnown(word.replace(/s$/, "")));
}
