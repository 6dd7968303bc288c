import type { SentimentConfig } from "../config/config.ts";
import { hashOf } from "../../../engine/hash.ts";
import { evidenceReason, overrideStats, representativeReason } from "../gate/override-stats.ts";
import { aspectAggregate, issuesOf, sentenceAggregate, validatorAggregate } from "../moderate/aggregates.ts";
import { moderate, type ModeratorInput } from "../moderate/moderate.ts";
import { episodeOf } from "../memory/episode-of.ts";
import type { Tuple } from "../schemas/debate.ts";
import type { SettledDebate } from "../schemas/debate-output.ts";
import type { FinalAspect, FinalOutput } from "../schemas/final-output.ts";
import type { Adoption, Correction } from "../schemas/outcome.ts";
import type { Sentiment } from "../schemas/stage1.ts";
import { type Stated, stated } from "../stage1/missing.ts";
import { findTerm } from "../text/find-term.ts";
import { inTextOrder, sortByPlace } from "../text/text-order.ts";
import { isReverted } from "./adopt-input.ts";
import type { FinalLists } from "./final-lists.ts";
import { processTrace } from "./process-trace.ts";
import type { RuleResults } from "./rule-results.ts";

/** Assembles the final output: the candidate when adopted, else exactly Stage 1 (spec sections 7 and 8). */
export function finalOutput(
  rules: RuleResults,
  lists: FinalLists,
  adoption: Adoption,
  config: SentimentConfig,
): FinalOutput {
  const { turns } = rules;
  const final = adoption.adopted ? lists.candidate : lists.stage1;
  const aggregates = aggregatesOf(rules, final.raw, adoption.adopted);
  const moderator = config.enable_moderator ? moderate(moderatorInput(aggregates, rules, lists)) : null;
  const sentence = sentenceAggregate(final.raw);
  const label = moderator?.final_label ?? sentence.label;
  const confidence = moderator?.confidence ?? sentence.confidence;
  const tuples = (list: readonly Stated[]) => tuplesOf(turns.text, list);
  const corrections = correctionLog(rules, adoption.adopted);
  const result = {
    label,
    confidence,
    rationale: moderator?.rationale ?? `aggregate of the final list: ${sentence.rationale}`,
    final_aspects: finalAspects(turns.text, final.shown, turns.stage1.aspects),
    mentions: inTextOrder(turns.text, final.mentions),
    stage1_tuples: tuples(lists.stage1.shown),
    stage2_tuples: tuples(lists.patched.shown),
    final_tuples: tuples(final.shown),
  };
  return {
    meta: metaOf(rules, adoption, config),
    stage1_aspects: turns.stage1.aspects,
    ...aggregates,
    moderator,
    debate: settledDebate(rules, lists),
    settlements: rules.patch?.settlements ?? [],
    review_context: rules.context,
    override_gate: rules.gate?.records ?? [],
    correction_applied_log: corrections,
    process_trace: processTrace(turns, moderator),
    analysis_flags: {
      correction_occurred: JSON.stringify(result.final_tuples) !== JSON.stringify(result.stage1_tuples),
      conflict_resolved: conflicts(lists.stage1.raw) > conflicts(final.raw),
      stage2_executed: turns.stage2 !== null,
      final_confidence_score: confidence,
    },
    memory_episode: episodeOf(rules, adoption, config),
    final_result: result,
  };
}

type Aggregates = Pick<
  FinalOutput,
  "stage1_ate" | "stage1_atsa" | "stage1_validator" | "stage2_ate" | "stage2_atsa" | "stage2_validator"
>;

function aggregatesOf({ turns, reviewed }: RuleResults, final: readonly Sentiment[], adopted: boolean): Aggregates {
  const { stage1, stage2 } = turns;
  const stage1_atsa = aspectAggregate(stage1.aspect_sentiments, stage1.aspects);
  const aspects = [...reviewed.aspects, ...stage1.aspects];
  const validation = stage2?.validator ?? null;
  return {
    stage1_ate: sentenceAggregate(stage1.aspect_sentiments),
    stage1_atsa,
    stage1_validator: validatorAggregate(stage1.validator, stage1_atsa),
    stage2_ate: adopted ? sentenceAggregate(final) : null,
    stage2_atsa: adopted ? aspectAggregate(final, aspects) : null,
    stage2_validator: validation && {
      suggested_label: null,
      issues: issuesOf(validation.structural_risks),
      confidence: validation.final_validation.final_consistency_score,
      structural_risk_count: validation.structural_risks.length,
    },
  };
}

function moderatorInput(aggregates: Aggregates, { turns }: RuleResults, lists: FinalLists): ModeratorInput {
  const { stage1_ate, stage1_atsa, stage2_ate, stage2_atsa, stage1_validator } = aggregates;
  const settled = lists.settled && tuplesOf(turns.text, lists.settled.shown);
  return {
    stage1_ate,
    stage1_atsa,
    stage2_ate,
    stage2_atsa,
    validator: stage1_validator,
    debate_summary: turns.debate?.summary ?? null,
    settled_tuples: settled,
  };
}

function metaOf({ turns, gate }: RuleResults, adoption: Adoption, config: SentimentConfig): FinalOutput["meta"] {
  const { stats, conflicts } = overrideStats(gate?.records ?? []);
  const applied = gate?.applied != null;
  return {
    text_id: turns.text_id,
    text: turns.text,
    language_code: turns.language_code,
    config_hash: hashOf(config),
    protocol: config.protocol,
    neutral_policy: config.neutral_policy,
    gate_decision: applied ? "APPLY" : "SKIP",
    adopt_decision: adoption.adopted ? "adopted" : "not_adopted",
    adopt_reason: adoption.reason,
    override_candidate: adoption.candidate,
    override_skipped_reason: applied ? null : representativeReason(gate?.records ?? []),
    override_evidence_gate_reason: applied ? null : evidenceReason(gate?.records ?? []),
    debate_override_stats: stats,
    debate_override_skip_reasons: conflicts,
    ev_score: adoption.ev_score,
    ev_threshold: config.debate_override.ev_threshold,
    ev_components: adoption.ev_components,
    input_problems: turns.problems,
  };
}

/** All changes; in an adopted result, those that the settled tuples did not keep are named once more as reverted. */
function correctionLog(rules: RuleResults, adopted: boolean): Correction[] {
  const log = [...rules.reviewed.corrections, ...(rules.gate?.corrections ?? [])];
  if (!adopted) return log;
  const reverted = log
    .filter((one) => one.applied && isReverted(one, rules))
    .map((one) => ({ ...one, applied: false, reason: "reverted_unsupported" }));
  return [...log, ...reverted];
}

function settledDebate({ turns: { debate, text } }: RuleResults, lists: FinalLists): SettledDebate | null {
  if (debate === null || debate.style === "stance") return debate;
  const settled_tuples = tuplesOf(text, lists.settled?.shown ?? []);
  const summary = debate.summary ?? {
    final_patch: [],
    final_tuples: [],
    unresolved_conflicts: [],
    sentence_polarity: null,
    sentence_evidence_spans: [],
    aspect_evidence: {},
    rationale: null,
  };
  return { ...debate, summary: { ...summary, settled_tuples } };
}

/** The distinct tuples of a list, in text order. */
export function tuplesOf(text: string, list: readonly Stated[]): Tuple[] {
  const tuples = list.map(({ aspect_ref, polarity }) => ({ aspect_ref, aspect_term: aspect_ref, polarity }));
  const distinct = new Map(tuples.map((tuple) => [`${tuple.aspect_ref}\u0000${tuple.polarity}`, tuple]));
  return sortByPlace(text, [...distinct.values()], (tuple) => tuple.aspect_ref).sort(samePlaceByPolarity);
}

/** Tuples of one aspect stand in alphabetical order of polarity; others keep their place. */
function samePlaceByPolarity(a: Tuple, b: Tuple): number {
  return a.aspect_ref === b.aspect_ref ? a.polarity.localeCompare(b.polarity) : 0;
}

function finalAspects(text: string, list: readonly Stated[], aspects: FinalOutput["stage1_aspects"]): FinalAspect[] {
  const distinct = new Map<string, Stated>();
  for (const sentiment of list) {
    const key = `${sentiment.aspect_ref}\u0000${sentiment.polarity}`;
    const known = distinct.get(key);
    if (!known || sentiment.confidence > known.confidence) distinct.set(key, sentiment);
  }
  const placed = [...distinct.values()].map((sentiment) => ({
    ...sentiment,
    span: aspects.find((aspect) => aspect.term === sentiment.aspect_ref)?.span ?? findTerm(text, sentiment.aspect_ref),
  }));
  return sortByPlace(text, placed, (sentiment) => sentiment.aspect_ref);
}

/** How many aspects of a list hold more than one polarity. */
function conflicts(list: readonly Sentiment[]): number {
  const polarities = new Map<string, Set<string>>();
  for (const { aspect_ref, polarity } of stated(list))
    polarities.set(aspect_ref, (polarities.get(aspect_ref) ?? new Set()).add(polarity));
  return [...polarities.values()].filter((found) => found.size > 1).length;
}
