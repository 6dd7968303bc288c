import { languageOf } from "./language/detect-language.ts";
import { findAspectGroup } from "./language/aspect-group.ts";
import type { LanguageCode } from "./language/language.ts";
import { readerOf } from "./reader.ts";
import type { Reading } from "./reading/reading.ts";

/** What a text says of a category such as "food" or "분위기": the reading of the terms that belong to it; null when none does. */
export function readCategory(text: string, language: LanguageCode, category: string): Reading | null {
  const wanted = findGroups(category, language);
  if (wanted.size === 0) return null;
  const reader = readerOf(language);
  const candidates = reader.candidates(text);
  const readings = reader.scoped(
    text,
    candidates.map((candidate) => candidate.span),
  );
  const own = readings.filter((reading, index) => {
    const span = candidates[index]?.span;
    const group = span ? findAspectGroup(text.slice(span.start, span.end), languageOf(language)) : null;
    return (
      reading.polarity !== null && !/^(nearest|elsewhere)$/.test(reading.via) && group !== null && wanted.has(group)
    );
  });
  if (own.length === 0) return null;
  const value = own.reduce((sum, reading) => sum + reading.value, 0);
  if (Math.abs(value) < 0.25 && own.some((reading) => reading.polarity !== "neutral")) return null;
  const polarity = Math.abs(value) < 0.25 ? "neutral" : value > 0 ? "positive" : "negative";
  return {
    ...(own[0] as Reading),
    value,
    polarity,
    opinions: own.flatMap((reading) => reading.opinions),
    via: "category",
  };
}

/** The groups of things that a category covers; the atmosphere is also that of the place. */
function findGroups(category: string, language: LanguageCode): Set<string> {
  const group = findAspectGroup(category, languageOf(language));
  if (group === null) return new Set();
  return new Set(group === "atmosphere" ? [group, "place"] : [group]);
}
