import { readWith } from "../../../knowledge/opinions/index.ts";
import type { SentimentExperts } from "../schemas/inputs.ts";
import { judgePatch, reviewAspects, reviewSentiments, reviewValidation, speakPatch } from "./patch.ts";
import { extractAspects, judgeSentiments, validate } from "./stage1.ts";
import { judgeStance, speakStance } from "./stance.ts";

const stage1 = { extractAspects, judgeSentiments, validate };
const debate = { speakPatch, judgePatch, speakStance, judgeStance };
const stage2 = { reviewAspects, reviewSentiments, reviewValidation };

export function createExperts(layers: Record<"en" | "ko", string>): SentimentExperts {
  const experts = Object.entries({ ...stage1, ...debate, ...stage2 }).map(([name, play]) => {
    return [name, (input: never) => readWith(layers, () => play(input))] as const;
  });
  return Object.fromEntries(experts) as SentimentExperts;
}
