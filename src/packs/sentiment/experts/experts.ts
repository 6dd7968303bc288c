import { readWith } from "../../../knowledge/opinions/index.ts";
import type { SentimentExperts } from "../schemas/inputs.ts";
import { judgePatch, reviewAspects, reviewSentiments, reviewValidation, speakPatch } from "./patch.ts";
import { extractAspects, judgeSentiments, validate } from "./stage1.ts";
import { judgeStance, speakStance } from "./stance.ts";

export function createExperts(layers: Record<"en" | "ko", string>): SentimentExperts {
  const reading =
    <I, O>(play: (input: I) => O) =>
    (input: I): O =>
      readWith(layers, () => play(input));
  return {
    extractAspects: reading(extractAspects),
    judgeSentiments: reading(judgeSentiments),
    validate: reading(validate),
    speakPatch: reading(speakPatch),
    judgePatch: reading(judgePatch),
    speakStance: reading(speakStance),
    judgeStance: reading(judgeStance),
    reviewAspects: reading(reviewAspects),
    reviewSentiments: reading(reviewSentiments),
    reviewValidation: reading(reviewValidation),
  };
}
