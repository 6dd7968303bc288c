import type { LanguageCode } from "./language/language.ts";
import type { Span } from "./reading/reading.ts";
import { vocabulary as englishVocabulary } from "./english/words/vocabulary.ts";
import { vocabulary as koreanVocabulary } from "./korean/words/vocabulary.ts";
import { readerOf } from "./reader.ts";

/** True when the head of the term at one of these places is a word for something that reviews judge. */
export function isListedTarget(text: string, language: LanguageCode, spans: readonly Span[]): boolean {
  const { groups } = language === "en" ? englishVocabulary() : koreanVocabulary();
  const heads = readerOf(language)
    .candidates(text)
    .filter((candidate) => spans.some((span) => candidate.span.start <= span.start && candidate.span.end >= span.end))
    .map((candidate) => candidate.head);
  const words = spans.map((span) => text.slice(span.start, span.end).toLowerCase());
  const last = words.map((word) => word.split(/\s+/).at(-1) ?? word);
  return [...heads, ...words, ...last].some((word) => groups.has(word) || groups.has(word.replace(/s$/, "")));
}
