/** The whole path from grounded turns to the final output, without any player (spec sections 4 to 8). */
import { adopt } from "../adopt/adopt.ts";
import type { SentimentConfig } from "../config/config.ts";
import { buildReviewContext, stage1Terms } from "../review/review-context.ts";
import { applyReviews } from "../review/apply-reviews.ts";
import type { CaseTurns } from "../schemas/case-turns.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { aspectMatcher } from "../text/aspect-matcher.ts";
import { languageOf } from "../text/detect-language.ts";
import { adoptInput } from "./adopt-input.ts";
import { finalLists } from "./final-lists.ts";
import { finalOutput } from "./final-output.ts";
import { patchRules } from "./patch-rules.ts";
import { stanceRules } from "./stance-rules.ts";
import { switchedTurns } from "./switched-turns.ts";

export function decideCase(given: CaseTurns, config: SentimentConfig): FinalOutput {
  const turns = switchedTurns(given, config);
  const { text, stage1, debate, stage2 } = turns;
  const language = languageOf(turns.language_code);
  const matcher = aspectMatcher(text, stage1Terms(stage1), language);
  const context = debate && buildReviewContext({ text, language, stage1, debate });
  const reviewed = stage2
    ? applyReviews({ text, stage1, stage2, review_context: context, matcher })
    : { aspects: stage1.aspects, sentiments: stage1.aspect_sentiments, corrections: [] };
  const patch =
    debate?.style === "patch" && context ? patchRules({ turns, debate, context, reviewed, matcher, config }) : null;
  const gate = patch
    ? patch.gate
    : context && debate
      ? stanceRules({ turns, context, reviewed, matcher, config, debate })
      : null;
  const patched = patch?.patched ?? gate?.sentiments ?? reviewed.sentiments;
  const rules = { turns, context, reviewed, patch, gate, patched };
  const lists = finalLists(rules, config);
  const adoption = adopt(adoptInput(rules, lists), config);
  return finalOutput(rules, lists, adoption, config);
}
