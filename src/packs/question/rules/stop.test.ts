import { expect, it } from "vitest";
import type { Round } from "../schemas/decision.ts";
import { findStop } from "./stop.ts";

const round = (agreement: number, answers: (string | null)[]): Round => ({
  round: 1,
  agreement,
  speeches: answers.map((answer, i) => ({
    speaker: `s${i}`,
    answer,
    canonical: answer,
    reasoning: "r",
    confidence: 0.5,
    quotes: [],
    short_answer: null,
  })),
});

it.each([
  ["all agree", round(1, ["a", "a"]), 1, "agreement"],
  ["just enough agree", round(0.67, ["a", "a", "b"]), 0.67, "agreement"],
  ["one too few agree", round(0.5, ["a", "b"]), 0.51, null],
  ["the only answer is agreed on, whoever is silent", round(1, ["a", null]), 1, "agreement"],
  ["nobody has an answer", round(0, [null, null]), 0.5, "silence"],
  ["nobody spoke", round(0, []), 0.5, "silence"],
])("%s", (_, said, needed, stop) => expect(findStop(said, needed)).toBe(stop));
