import { english } from "../language/en.ts";
import type { Marks } from "../reading/reading.ts";
import type { Analysis } from "./analyse.ts";
import { isNegator } from "./opinions/negation.ts";
import { findCueSpans } from "../language/cues.ts";

/** Where an English text negates, contrasts and may be ironic, and its clauses. */
export function findEnglishMarks(analysis: Analysis): Marks {
  const { tokens, clauses, text } = analysis;
  return {
    negations: tokens.filter(isNegator).map(({ start, end }) => ({ start, end })),
    contrasts: findCueSpans(
      text,
      english.contrast_markers.filter((marker) => marker !== "still" && marker !== "unlike"),
      "word",
    ),
    ironies: findCueSpans(text, english.irony_cues, "word"),
    clauses: clauses.map(({ from, to }) => ({ start: tokens[from]?.start ?? 0, end: tokens[to - 1]?.end ?? 0 })),
  };
}
