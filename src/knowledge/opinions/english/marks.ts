import type { Marks } from "../reading/reading.ts";
import type { Analysis } from "./analyse.ts";
import { isNegator } from "./opinions/negation.ts";
import { findCues, languageOf } from "../reading/language.ts";

/** Where an English text negates, contrasts and may be ironic, and its clauses. */
export function findEnglishMarks(analysis: Analysis): Omit<Marks, "neutrals" | "structure"> {
  const { tokens, clauses, text } = analysis;
  return {
    negations: tokens.filter(isNegator).map(({ start, end }) => ({ start, end })),
    contrasts: findCues(
      text,
      languageOf("en").contrast_markers.filter((marker) => marker !== "still" && marker !== "unlike"),
      "en",
    ),
    ironies: findCues(text, languageOf("en").irony_cues, "en"),
    clauses: clauses.map(({ from, to }) => ({ start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 })),
  };
}
