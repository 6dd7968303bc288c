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
