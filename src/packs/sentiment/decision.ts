/** The whole path from grounded turns to the final output, without any player (sentiment spec §4 to §8). */
import { hashValue } from "../../engine/hash.ts";
import type { SentimentConfig } from "./config/config.ts";
import { type Adoption, adopt, logCorrections, makeLists, type RuleResults } from "./rules/adopt.ts";
import { applyReviews, type Reviewed } from "./rules/apply-reviews.ts";
import { findDoubts, listOpenDoubts } from "./rules/doubts.ts";
import { matchStage1 } from "./rules/matcher.ts";
import { aggregateCase, aggregateSentence, moderate } from "./rules/moderate.ts";
import { countOverrides, findMainReason, isOneSided } from "./rules/override-gate.ts";
import { buildReviewContext } from "./rules/review-context.ts";
import { gateDebate, settleDebate } from "./rules/settle.ts";
import { cleanText, findTerm, orderByText, sortByPlace } from "./rules/text.ts";
import { listTuples, type Stated, tupleKeyOf } from "./rules/tuples.ts";
import { type SettledDebate, silentJudge, type Tuple } from "./schemas/debate.ts";
import type { CaseTurns } from "./schemas/inputs.ts";
import type { FinalAspect, FinalOutput, Moderation } from "./schemas/output.ts";
import type { Aspect } from "./schemas/stage1.ts";

export { type FinalOutput, FinalOutputSchema } from "./schemas/output.ts";

export function decideCase(given: CaseTurns, config: SentimentConfig): FinalOutput {
  const turns = keepCountedTurns(given, config);
  const { text } = turns.material;
  const rules = applyRules(turns, config);
  const lists = makeLists(rules, config.neutral_policy);
  const adoption = adopt(rules, lists, config);
  const { adopted } = adoption;
  const final = adopted ? lists.candidate : lists.stage1;
  const aspects = adopted ? rules.reviewed.aspects : turns.stage1.aspects;
  const aggregates = aggregateCase(turns, adopted ? { sentiments: final.raw, aspects } : null);
  const settled_tuples = lists.settled && listTuples(text, lists.settled.shown);
  const final_tuples = listTuples(text, final.shown);
  const moderator = config.enable_moderator
    ? moderate({
        ...aggregates,
        validator: isVetoRefused(rules, adopted) ? null : aggregates.stage1_validator,
        debate_summary: rules.context && isOneSided(rules.context) ? null : (turns.debate?.summary ?? null),
        settled_tuples,
        final_tuples,
      })
    : null;
  const { label, confidence, rationale } = moderator
    ? { ...moderator, label: moderator.final_label }
    : aggregateSentence(final.raw);
  const final_result = {
    label,
    confidence,
    rationale,
    final_aspects: listFinalAspects(turns, final.shown, aspects),
    mentions: orderByText(text, final.mentions),
    stage1_tuples: listTuples(text, lists.stage1.shown),
    stage2_tuples: listTuples(text, lists.patched.shown),
    final_tuples,
  };
  return {
    meta: writeMeta(rules, adoption, config),
    stage1_aspects: turns.stage1.aspects,
    ...aggregates,
    moderator,
    debate: writeDebate(turns, settled_tuples),
    settlements: rules.patch?.settlements ?? [],
    review_context: rules.context,
    override_gate: rules.gate?.records ?? [],
    correction_applied_log: logCorrections(rules, adopted),
    strikes: turns.strikes,
    doubts: listOpenDoubts(turns, final_tuples),
    process_trace: traceProcess(turns, moderator),
    final_result,
  };
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
  return debate.when === "always" || findDoubts(turns).length > 0;
}

/** The turns that count under a config: what is switched off was not said (sentiment spec §1). */
function keepCountedTurns(turns: CaseTurns, config: SentimentConfig): CaseTurns {
  const goesOn = config.protocol === "debate" && isDebated(turns, config);
  const { stage1, stage2 } = turns;
  const checked = <S extends { validator: unknown }>(stage: S): S =>
    config.enable_validator ? stage : { ...stage, validator: null };
  return {
    ...turns,
    stage1: checked(stage1),
    debate: config.enable_debate && goesOn ? turns.debate : null,
    stage2: config.enable_stage2 && goesOn && stage2 ? checked(stage2) : null,
  };
}

/** Review context, reviews, override gate and settling, in this order (sentiment spec §4 to §6a). */
function applyRules(turns: CaseTurns, config: SentimentConfig): RuleResults {
  const { material, stage1, debate, stage2 } = turns;
  const matcher = matchStage1(material, stage1);
  const context = debate && buildReviewContext({ material, stage1, debate });
  const cap = config.debate_override.min_target_conf;
  const { aspects, aspect_sentiments: sentiments } = stage1;
  const reviewed: Reviewed = stage2
    ? applyReviews({ material, stage1, stage2, review_context: context, matcher, cap })
    : { aspects, sentiments, corrections: [], resolved: [], resolving: [] };
  const results = { turns, context, reviewed, patch: null, gate: null, patched: reviewed.sentiments };
  if (debate === null || context === null) return results;
  const debated = { turns, context, matcher, config };
  if (debate.style === "patch") {
    const patch = settleDebate({ ...debated, debate }, reviewed);
    return { ...results, patch, gate: patch.gate, patched: patch.patched };
  }
  /** The judge of a stance debate has no tuples, so every addition that is in the text may pass (sentiment spec §6). */
  const lists = { sentiments: reviewed.sentiments, stage1: sentiments };
  const gate = gateDebate({ ...debated, debate }, lists, () => true);
  return { ...results, gate, patched: gate?.sentiments ?? reviewed.sentiments };
}

const configHashes = new WeakMap<SentimentConfig, string>();

/** The hash of a config, made once for all runs that share it. */
function hashConfig(config: SentimentConfig): string {
  const hash = configHashes.get(config) ?? hashValue(config);
  configHashes.set(config, hash);
  return hash;
}

function writeMeta({ turns, gate }: RuleResults, adoption: Adoption, config: SentimentConfig): FinalOutput["meta"] {
  const records = gate?.records ?? [];
  const { stats, conflicts } = countOverrides(records);
  const isApplied = (gate?.corrections.length ?? 0) > 0;
  const { adopted, ev_score, ev_components } = adoption;
  const evidence = records.map((record) => record.skip_reason).find((reason) => reason?.includes("evidence_span"));
  const input_problems: Record<string, number> = {};
  for (const { code } of turns.strikes) input_problems[code] = (input_problems[code] ?? 0) + 1;
  return {
    text_id: turns.text_id,
    text: turns.material.text,
    language_code: turns.material.language_code,
    config_hash: hashConfig(config),
    protocol: config.protocol,
    neutral_policy: config.neutral_policy,
    gate_decision: isApplied ? "APPLY" : "SKIP",
    adopt_decision: adopted ? "adopted" : "not_adopted",
    adopt_reason: adoption.reason,
    override_candidate: adoption.candidate,
    override_skipped_reason: isApplied ? null : findMainReason(records),
    override_evidence_gate_reason: isApplied ? null : (evidence ?? null),
    debate_override_stats: { ...stats, ev_score, ev_adopted: adopted, ev_components },
    debate_override_skip_reasons: conflicts,
    ev_score,
    ev_threshold: config.debate_override.ev_threshold,
    ev_components,
    input_problems,
  };
}

/** The debate, a patch debate with the settled tuples in its summary. */
function writeDebate({ debate }: CaseTurns, settled_tuples: Tuple[] | null): SettledDebate | null {
  if (debate === null || debate.style === "stance") return debate;
  return { ...debate, summary: { ...(debate.summary ?? silentJudge), settled_tuples: settled_tuples ?? [] } };
}

/** The sentiments of the final list, one per tuple, each with the place of its aspect. */
function listFinalAspects(turns: CaseTurns, list: readonly Stated[], aspects: readonly Aspect[]): FinalAspect[] {
  const { text } = turns.material;
  const clean = cleanText(turns.source);
  const bySureness = list.toSorted((a, b) => a.confidence - b.confidence);
  const distinct = new Map(bySureness.map((sentiment) => [tupleKeyOf(sentiment), sentiment]));
  const placed = [...distinct.values()].map((sentiment): FinalAspect => {
    const known = aspects.find((aspect) => aspect.term === sentiment.aspect_ref)?.span;
    const span = known ?? findTerm(text, sentiment.aspect_ref);
    return { ...sentiment, span, source_span: span && clean.text === text ? clean.sourceOf(span) : span };
  });
  return sortByPlace(text, placed, (sentiment) => sentiment.aspect_ref);
}

function traceProcess({ stage1, debate, stage2 }: CaseTurns, moderator: Moderation | null) {
  const entry = (stage: string, agent: string, output: unknown) => ({ stage, agent, output });
  return [
    entry("stage1", "ATE", { aspects: stage1.aspects }),
    entry("stage1", "ATSA", { aspect_sentiments: stage1.aspect_sentiments }),
    entry("stage1", "Validator", stage1.validator),
    ...(debate?.rounds.flatMap(({ turns }) => turns.map((turn) => entry("debate", turn.agent, turn))) ?? []),
    entry("debate_judge", "DebateJudge", debate?.summary ?? null),
    entry("stage2", "ATE", stage2 && { aspect_review: stage2.aspect_review }),
    entry("stage2", "ATSA", stage2 && { sentiment_review: stage2.sentiment_review }),
    entry("stage2", "Validator", stage2?.validator ?? null),
    entry("moderator", "Moderator", moderator),
  ].filter(({ output }) => output !== null);
}
