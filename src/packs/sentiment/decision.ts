import type { SentimentConfig } from "./config/config.ts";
import { adopt, logCorrections, makeLists, type RuleResults } from "./rules/adopt.ts";
import { applyReviews, identifyDebate, type Reviewed } from "./rules/apply-reviews.ts";
import { findDoubts } from "./rules/doubts.ts";
import { matchStage1 } from "./rules/matcher.ts";
import { learnEpisode } from "./rules/memory.ts";
import { aggregateCase, aggregateSentence, moderate } from "./rules/moderate.ts";
import { isOneSided } from "./rules/override-gate.ts";
import { buildReviewContext } from "./rules/review-context.ts";
import { gateDebate, settleDebate } from "./rules/settle.ts";
import { listTuples } from "./rules/tuples.ts";
import { writeOutput } from "./rules/write-output.ts";
import type { CaseTurns } from "./schemas/inputs.ts";
import type { FinalOutput } from "./schemas/output.ts";

export { type FinalOutput, FinalOutputSchema } from "./schemas/output.ts";

/** The whole path from grounded turns to the final output, without any player (sentiment spec §4 to §8). */
export function decideCase(given: CaseTurns, config: SentimentConfig): FinalOutput {
  const turns = keepCountedTurns(given, config);
  const rules = applyRules(turns, config);
  const lists = makeLists(rules, config.neutral_policy);
  const adoption = adopt(rules, lists, config);
  const { adopted } = adoption;
  const final = adopted ? lists.candidate : lists.stage1;
  const aggregates = aggregateCase(turns, adopted ? { sentiments: final.raw, aspects: rules.reviewed.aspects } : null);
  const { text } = turns.material;
  const settled_tuples = lists.settled && listTuples(text, lists.settled.shown);
  const final_tuples = listTuples(text, final.shown);
  const own = aggregateSentence(final.raw);
  const moderator = config.enable_moderator
    ? moderate({
        ...aggregates,
        validator: isVetoRefused(rules, adopted) ? null : aggregates.stage1_validator,
        debate_summary: rules.context && isOneSided(rules.context) ? null : (turns.debate?.summary ?? null),
        settled_tuples,
        final_tuples,
      })
    : null;
  const sentence = moderator
    ? { label: moderator.final_label, confidence: moderator.confidence, rationale: moderator.rationale }
    : { ...own, rationale: `aggregate of the final list: ${own.rationale}` };
  const corrections = logCorrections(rules, adopted);
  const episode = learnEpisode(turns, { gate: rules.gate, adopted }, config.memory);
  return writeOutput(
    { rules, lists, adoption, final, aggregates, moderator, sentence, settled_tuples, corrections, episode },
    config,
  );
}

/** True when the flip that the Validator asks for was put to the reviews and does not stand (Rule C takes no refused word). */
function isVetoRefused({ turns, reviewed, patch }: RuleResults, adopted: boolean): boolean {
  if (turns.stage2 === null && turns.debate === null) return false;
  const flips = reviewed.corrections.filter((one) => one.asked_by === "validator" && one.resulting_polarity !== null);
  const settled = patch?.settled ?? reviewed.sentiments;
  return !adopted || !flips.some((one) => settled.some(({ polarity }) => polarity === one.resulting_polarity));
}

/** True when a text is debated and reviewed: always, or where Stage 1 leaves a doubt. */
export function isDebated(turns: CaseTurns, { debate }: SentimentConfig): boolean {
  return debate.when === "always" || findDoubts(turns, debate.sure_from).length > 0;
}

/** The turns that count under a config: what is switched off was not said (sentiment spec §1). */
function keepCountedTurns(turns: CaseTurns, config: SentimentConfig): CaseTurns {
  const goesOn = config.protocol === "debate" && isDebated(turns, config);
  const { stage1, stage2 } = turns;
  return {
    ...turns,
    stage1: config.enable_validator ? stage1 : { ...stage1, validator: null },
    debate: config.enable_debate && goesOn ? turns.debate : null,
    stage2:
      config.enable_stage2 && goesOn && stage2
        ? { ...stage2, validator: config.enable_validator ? stage2.validator : null }
        : null,
  };
}

/** Review context, reviews, override gate and settling, in this order (sentiment spec §4 to §6a). */
function applyRules(turns: CaseTurns, config: SentimentConfig): RuleResults {
  const { material, stage1, debate: heard, stage2 } = turns;
  const matcher = matchStage1(material, stage1);
  const context = heard && buildReviewContext({ material, stage1, debate: heard });
  const cap = config.debate_override.min_target_conf;
  const unreviewed: Reviewed = {
    aspects: stage1.aspects,
    sentiments: stage1.aspect_sentiments,
    names: new Map(),
    corrections: [],
    resolved: [],
    resolving: [],
  };
  const reviewed = stage2
    ? applyReviews({ material, stage1, stage2, review_context: context, matcher, cap })
    : unreviewed;
  const results = { turns, context, reviewed, patch: null, gate: null, patched: reviewed.sentiments };
  if (heard === null || context === null) return results;
  const debate = identifyDebate(reviewed.names, heard);
  const identified = debate === heard ? context : buildReviewContext({ material, stage1, debate });
  const debated = { turns, context: identified, matcher, config };
  if (debate.style === "patch") {
    const patch = settleDebate({ ...debated, debate }, reviewed);
    return { ...results, context: identified, patch, gate: patch.gate, patched: patch.patched };
  }
  /** The judge of a stance debate has no tuples, so every addition that is in the text may pass (sentiment spec §6). */
  const gate = gateDebate({ ...debated, debate }, reviewed.sentiments, () => true);
  return { ...results, gate, patched: gate?.sentiments ?? reviewed.sentiments };
}
