import { type LayerNames, readWith } from "../../../knowledge/opinions/index.ts";
import type { SentimentExperts } from "../schemas/role-inputs.ts";
import { judgePatch } from "./patch/judge.ts";
import { speakPatch } from "./patch/speak.ts";
import { reviewAspects } from "./review/review-aspects.ts";
import { reviewSentiments } from "./review/review-sentiments.ts";
import { reviewValidation } from "./review/review-validation.ts";
import { extractAspects } from "./stage1/extract-aspects.ts";
import { judgeSentiments } from "./stage1/judge-sentiments.ts";
import { validate } from "./stage1/validate.ts";
import { judgeStance } from "./stance/judge.ts";
import { speakStance } from "./stance/speak.ts";

/** The programs that play every role of the sentiment pack, in English and Korean. */
export const experts: SentimentExperts = {
  extractAspects,
  judgeSentiments,
  validate,
  speakPatch,
  judgePatch,
  speakStance,
  judgeStance,
  reviewAspects,
  reviewSentiments,
  reviewValidation,
};

/** The same programs, reading with these learnt layers; each answers at once, so no two runs meet in between. */
export function createExperts(layers: LayerNames): SentimentExperts {
  return {
    extractAspects: (input) => readWith(layers, () => extractAspects(input)),
    judgeSentiments: (input) => readWith(layers, () => judgeSentiments(input)),
    validate: (input) => readWith(layers, () => validate(input)),
    speakPatch: (input) => readWith(layers, () => speakPatch(input)),
    judgePatch: (input) => readWith(layers, () => judgePatch(input)),
    speakStance: (input) => readWith(layers, () => speakStance(input)),
    judgeStance: (input) => readWith(layers, () => judgeStance(input)),
    reviewAspects: (input) => readWith(layers, () => reviewAspects(input)),
    reviewSentiments: (input) => readWith(layers, () => reviewSentiments(input)),
    reviewValidation: (input) => readWith(layers, () => reviewValidation(input)),
  };
}
