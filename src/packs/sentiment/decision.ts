import { languageOf } from "../../knowledge/opinions/index.ts";
import type { SentimentConfig } from "./config.ts";
import { listMoreCareful } from "./config/more-careful.ts";
import { adopt } from "./rules/adopt/adopt.ts";
import { logCorrections } from "./rules/adopt/corrections.ts";
import { gatherAdoptInput } from "./rules/adopt/gather-adopt-input.ts";
import { makeLists } from "./rules/adopt/make-lists.ts";
import type { RuleResults } from "./rules/adopt/rule-results.ts";
import { applyReviews } from "./rules/apply/apply-reviews.ts";
import { learnEpisode } from "./rules/memory/learn-episode.ts";
import { aggregateCase, aggregateSentence } from "./rules/moderate/aggregates.ts";
import { labelSentence, moderate } from "./rules/moderate/moderate.ts";
import { listTuples } from "./rules/tuples/text-order.ts";
import { type Decided, writeOutput } from "./rules/output/write-output.ts";
import { findDoubts } from "./rules/review/find-doubts.ts";
import { buildReviewContext } from "./rules/review/review-context.ts";
import { gateDebate } from "./rules/settle/gate-debate.ts";
import { settleDebate } from "./rules/settle/settle-debate.ts";
import { identifyDebate } from "./rules/tuples/shown-names.ts";
import { createStage1Matcher } from "./rules/tuples/aspect-matcher.ts";
import type { CaseTurns } from "./schemas/case-turns.ts";
import type { FinalOutput } from "./schemas/final-output.ts";

export { type FinalOutput, FinalOutputSchema } from "./schemas/final-output.ts";

/**
 * The whole path from grounded turns to the final output, without any player (sentiment spec §4 to §8). Where an eager
 * profile asks for more than the EV score carries, what a more careful one would adopt still stands.
 */
export function decideCase(given: CaseTurns, config: SentimentConfig): FinalOutput {
  const turns = keepCountedTurns(given, config);
  const decided = decideUnder(turns, config);
  if (decided.adoption.adopted) return writeOutput(decided, config);
  for (const careful of listMoreCareful(config)) {
    const other = decideUnder(turns, careful);
    if (other.adoption.adopted) return writeOutput(other, config);
  }
  return writeOutput(decided, config);
}

function decideUnder(turns: CaseTurns, config: SentimentConfig): Decided {
  const rules = applyRules(turns, config);
  const lists = makeLists(rules, config.neutral_policy);
  const adoption = adopt(gatherAdoptInput(rules, lists), config);
  const { adopted } = adoption;
  const final = adopted ? lists.candidate : lists.stage1;
  const aggregates = aggregateCase(turns, adopted ? { sentiments: final.raw, aspects: rules.reviewed.aspects } : null);
  const settled_tuples = lists.settled && listTuples(turns.text, lists.settled.shown);
  const debate = { debate_summary: turns.debate?.summary ?? null, settled_tuples };
  const moderator = config.enable_moderator
    ? moderate({ ...aggregates, validator: aggregates.stage1_validator, ...debate })
    : null;
  const sentence = labelSentence(moderator, aggregateSentence(final.raw));
  const corrections = logCorrections(rules, adopted);
  const episode = learnEpisode(turns, { gate: rules.gate, adopted }, config.memory);
  return { rules, lists, adoption, final, aggregates, moderator, sentence, settled_tuples, corrections, episode };
}

/** True when a text is debated and reviewed: always, or where Stage 1 leaves a doubt. */
export function isDebated(turns: CaseTurns, { debate }: SentimentConfig): boolean {
  return debate.when === "always" || findDoubts(turns, debate.sure_from).length > 0;
}

/** The turns that count under a config: what is switched off was not said (sentiment spec §1). */
function keepCountedTurns(turns: CaseTurns, config: SentimentConfig): CaseTurns {
  const goesOn = config.protocol === "debate" && isDebated(turns, config);
  const debates = config.enable_debate && goesOn;
  const reviews = config.enable_stage2 && goesOn;
  const { stage1, stage2 } = turns;
  return {
    ...turns,
    stage1: config.enable_validator ? stage1 : { ...stage1, validator: null },
    debate: debates ? turns.debate : null,
    stage2: reviews && stage2 ? { ...stage2, validator: config.enable_validator ? stage2.validator : null } : null,
  };
}

/** Review context, reviews, override gate and settling, in this order (sentiment spec §4 to §6a). */
function applyRules(turns: CaseTurns, config: SentimentConfig): RuleResults {
  const { text, language_code, stage1, debate: heard, stage2 } = turns;
  const about = { text, language: languageOf(language_code), stage1 };
  const matcher = createStage1Matcher(turns, stage1);
  const context = heard && buildReviewContext({ ...about, debate: heard });
  const reviewed = stage2
    ? applyReviews({ text, stage1, stage2, review_context: context, matcher })
    : {
        aspects: stage1.aspects,
        sentiments: stage1.aspect_sentiments,
        names: new Map<string, string>(),
        corrections: [],
      };
  const results = { turns, context, reviewed, patch: null, gate: null, patched: reviewed.sentiments };
  if (heard === null || context === null) return results;
  const debate = identifyDebate(reviewed.names, heard);
  const identified = debate === heard ? context : buildReviewContext({ ...about, debate });
  const debated = { turns, context: identified, matcher, config };
  if (debate.style === "patch") {
    const patch = settleDebate({ ...debated, debate }, reviewed.sentiments);
    return { ...results, context: identified, patch, gate: patch.gate, patched: patch.patched };
  }
  /** The judge of a stance debate has no tuples, so every addition that is in the text may pass (sentiment spec §6). */
  const gate = gateDebate({ ...debated, debate }, reviewed.sentiments, () => true);
  return { ...results, gate, patched: gate?.sentiments ?? reviewed.sentiments };
}
