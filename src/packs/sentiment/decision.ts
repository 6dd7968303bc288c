import { ParleyError } from "../../contract/error.ts";
import { sha256 } from "../../engine/hash.ts";
import { detectLanguage, languageOf, readLanguageCode } from "../../knowledge/opinions/index.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { type SentimentConfig, SentimentConfigSchema } from "./config.ts";
import { createTally } from "./recorded/loose.ts";
import { readDebate } from "./recorded/read-debate.ts";
import { readStage1 } from "./recorded/read-stage1.ts";
import { readStage2 } from "./recorded/read-stage2.ts";
import { adopt } from "./rules/adopt/adopt.ts";
import { logCorrections } from "./rules/adopt/corrections.ts";
import { gatherAdoptInput } from "./rules/adopt/gather-adopt-input.ts";
import { makeLists } from "./rules/adopt/make-lists.ts";
import type { RuleResults } from "./rules/adopt/rule-results.ts";
import { applyReviews } from "./rules/apply/apply-reviews.ts";
import { learnEpisode } from "./rules/memory/learn-episode.ts";
import { aggregateCase, aggregateSentence } from "./rules/moderate/aggregates.ts";
import { labelSentence, moderate } from "./rules/moderate/moderate.ts";
import { keepCountedTurns } from "./rules/output/counted-turns.ts";
import { listTuples } from "./rules/output/list-tuples.ts";
import { writeOutput } from "./rules/output/write-output.ts";
import { buildReviewContext } from "./rules/review/review-context.ts";
import { gateDebate } from "./rules/settle/gate-debate.ts";
import { settleDebate } from "./rules/settle/settle-debate.ts";
import { createStage1Matcher } from "./rules/tuples/aspect-matcher.ts";
import type { CaseTurns } from "./schemas/case-turns.ts";
import type { FinalOutput } from "./schemas/final-output.ts";

export { type FinalOutput, FinalOutputSchema } from "./schemas/final-output.ts";

/** The whole path from grounded turns to the final output, without any player (sentiment spec §4 to §8). */
export function decideCase(given: CaseTurns, config: SentimentConfig): FinalOutput {
  const turns = keepCountedTurns(given, config);
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
  return writeOutput(
    { rules, lists, adoption, final, aggregates, moderator, sentence, settled_tuples, corrections, episode },
    config,
  );
}

/** Review context, reviews, override gate and settling, in this order (sentiment spec §4 to §6a). */
function applyRules(turns: CaseTurns, config: SentimentConfig): RuleResults {
  const { text, language_code, stage1, debate, stage2 } = turns;
  const matcher = createStage1Matcher(turns, stage1);
  const context = debate && buildReviewContext({ text, language: languageOf(language_code), stage1, debate });
  const reviewed = stage2
    ? applyReviews({ text, stage1, stage2, review_context: context, matcher })
    : { aspects: stage1.aspects, sentiments: stage1.aspect_sentiments, corrections: [] };
  const results = { turns, context, reviewed, patch: null, gate: null, patched: reviewed.sentiments };
  if (debate === null || context === null) return results;
  const debated = { turns, context, matcher, config };
  if (debate.style === "patch") {
    const patch = settleDebate({ ...debated, debate }, reviewed.sentiments);
    return { ...results, patch, gate: patch.gate, patched: patch.patched };
  }
  /** The judge of a stance debate has no tuples, so every addition that is in the text may pass (sentiment spec §6). */
  const gate = gateDebate({ ...debated, debate }, reviewed.sentiments, () => true);
  return { ...results, gate, patched: gate?.sentiments ?? reviewed.sentiments };
}

/** Recorded turns as anyone may have written them down; docs/sentiment-decide.md shows what is understood. */
export type RecordedCase = {
  text: string;
  text_id?: string;
  language_code?: string | null;
  stage1: unknown;
  debate?: unknown;
  stage2?: unknown;
  config?: unknown;
};

/** From recorded turns to the final output by rules alone; of the turns, what cannot be used is struck and counted. */
export function decide(recorded: RecordedCase): FinalOutput {
  const { text } = recorded;
  if (typeof text !== "string" || text.trim() === "")
    throw new ParleyError("bad_input", "decide needs the text that the turns are about, as a non-empty string");
  const config = parseConfig(recorded.config);
  const tally = createTally();
  const known = readLanguageCode(recorded.language_code);
  if (known === null && recorded.language_code) tally.add("language_unsupported");
  const language_code = known ?? detectLanguage(text);
  const stage1 = readStage1(recorded.stage1, { text, language_code }, tally);
  const matcher = createStage1Matcher({ text, language_code }, stage1);
  const debate = readDebate(recorded.debate, { text, matcher, sentiments: stage1.aspect_sentiments }, config, tally);
  const stage2 = readStage2(recorded.stage2, text, matcher.terms.includes(""), tally);
  const text_id = recorded.text_id ?? sha256(text).slice(0, 12);
  return decideCase({ text_id, text, language_code, stage1, debate, stage2, problems: tally.counts }, config);
}

function parseConfig(value: unknown): SentimentConfig {
  const parsed = SentimentConfigSchema.safeParse(value ?? {}, { reportInput: true });
  if (parsed.success) return parsed.data;
  const issues = explainIssues(SentimentConfigSchema, parsed.error).map(
    ({ path, message }) => `${formatPath(path)}: ${message}`,
  );
  throw new ParleyError("bad_config", `config of the sentiment pack: ${issues.join("; ")}`);
}
