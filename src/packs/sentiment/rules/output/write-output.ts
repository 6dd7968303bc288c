import type { SentimentConfig } from "../../config/resolve-config.ts";
import { hashValue } from "../../../../engine/hash.ts";
import type { Tuple } from "../../schemas/debate.ts";
import { type SettledDebate, silentJudge } from "../../schemas/debate-output.ts";
import type { FinalAspect, FinalOutput } from "../../schemas/final-output.ts";
import type { Episode } from "../../schemas/memory.ts";
import type { Adoption, Correction, Moderation, SentenceAggregate } from "../../schemas/outcome.ts";
import type { Sentiment } from "../../schemas/stage1.ts";
import type { CaseLists, ListPair } from "../adopt/make-lists.ts";
import type { RuleResults } from "../adopt/rule-results.ts";
import { countOverrides, findEvidenceReason, findMainReason } from "../gate/override-stats.ts";
import type { Aggregates } from "../moderate/aggregates.ts";
import { findTerm } from "../tuples/find-term.ts";
import { keepStated, type Stated, tupleKeyOf } from "../tuples/stated.ts";
import { listTuples, orderByText, sortByPlace } from "../tuples/text-order.ts";
import { traceProcess } from "./trace-process.ts";

/** Everything that was decided about a case, before it is written down. */
export type Decided = {
  rules: RuleResults;
  lists: CaseLists;
  adoption: Adoption;
  /** The list that stands. */
  final: ListPair;
  aggregates: Aggregates;
  /** Null when the moderator is switched off. */
  moderator: Moderation | null;
  sentence: SentenceAggregate;
  settled_tuples: Tuple[] | null;
  corrections: Correction[];
  episode: Episode | null;
};

/** Writes down what was decided; nothing is decided here (sentiment spec §8). */
export function writeOutput(decided: Decided, config: SentimentConfig): FinalOutput {
  const { rules, lists, final, aggregates, moderator, sentence } = decided;
  const { turns } = rules;
  const tuples = (list: ListPair) => listTuples(turns.text, list.shown);
  const result = {
    ...sentence,
    final_aspects: listAspects(
      turns.text,
      final.shown,
      decided.adoption.adopted ? rules.reviewed.aspects : turns.stage1.aspects,
    ),
    mentions: orderByText(turns.text, final.mentions),
    stage1_tuples: tuples(lists.stage1),
    stage2_tuples: tuples(lists.patched),
    final_tuples: tuples(final),
  };
  return {
    meta: writeMeta(rules, decided.adoption, config),
    stage1_aspects: turns.stage1.aspects,
    ...aggregates,
    moderator,
    debate: writeDebate(rules, decided.settled_tuples),
    settlements: rules.patch?.settlements ?? [],
    review_context: rules.context,
    override_gate: rules.gate?.records ?? [],
    correction_applied_log: decided.corrections,
    process_trace: traceProcess(turns, moderator),
    analysis_flags: {
      correction_occurred: JSON.stringify(result.final_tuples) !== JSON.stringify(result.stage1_tuples),
      conflict_resolved: countConflicts(lists.stage1.raw) > countConflicts(final.raw),
      stage2_executed: turns.stage2 !== null,
      final_confidence_score: sentence.confidence,
    },
    memory_episode: decided.episode,
    final_result: result,
  };
}

const configHashes = new WeakMap<SentimentConfig, string>();

/** The hash of a config, made once for all runs that share it. */
function hashConfig(config: SentimentConfig): string {
  const hash = configHashes.get(config) ?? hashValue(config);
  configHashes.set(config, hash);
  return hash;
}

function writeMeta({ turns, gate }: RuleResults, adoption: Adoption, config: SentimentConfig): FinalOutput["meta"] {
  const { stats, conflicts } = countOverrides(gate?.records ?? []);
  const applied = gate?.applied != null;
  return {
    text_id: turns.text_id,
    text: turns.text,
    language_code: turns.language_code,
    config_hash: hashConfig(config),
    protocol: config.protocol,
    neutral_policy: config.neutral_policy,
    gate_decision: applied ? "APPLY" : "SKIP",
    adopt_decision: adoption.adopted ? "adopted" : "not_adopted",
    adopt_reason: adoption.reason,
    override_candidate: adoption.candidate,
    override_skipped_reason: applied ? null : findMainReason(gate?.records ?? []),
    override_evidence_gate_reason: applied ? null : findEvidenceReason(gate?.records ?? []),
    debate_override_stats: {
      ...stats,
      ev_score: adoption.ev_score,
      ev_adopted: adoption.adopted,
      ev_components: adoption.ev_components,
    },
    debate_override_skip_reasons: conflicts,
    ev_score: adoption.ev_score,
    ev_threshold: config.debate_override.ev_threshold,
    ev_components: adoption.ev_components,
    input_problems: turns.problems,
  };
}

/** The debate, a patch debate with the settled tuples in its summary. */
function writeDebate({ turns: { debate } }: RuleResults, settled_tuples: Tuple[] | null): SettledDebate | null {
  if (debate === null || debate.style === "stance") return debate;
  return { ...debate, summary: { ...(debate.summary ?? silentJudge), settled_tuples: settled_tuples ?? [] } };
}

/** The sentiments of the final list, one per tuple, each with the place of its aspect. */
function listAspects(text: string, list: readonly Stated[], aspects: FinalOutput["stage1_aspects"]): FinalAspect[] {
  const distinct = new Map<string, Stated>();
  for (const sentiment of list) {
    const known = distinct.get(tupleKeyOf(sentiment));
    if (!known || sentiment.confidence > known.confidence) distinct.set(tupleKeyOf(sentiment), sentiment);
  }
  const placed = [...distinct.values()].map((sentiment) => ({
    ...sentiment,
    span: aspects.find((aspect) => aspect.term === sentiment.aspect_ref)?.span ?? findTerm(text, sentiment.aspect_ref),
  }));
  return sortByPlace(text, placed, (sentiment) => sentiment.aspect_ref);
}

/** How many aspects of a list hold more than one polarity. */
function countConflicts(list: readonly Sentiment[]): number {
  const polarities = new Map<string, Set<string>>();
  for (const { aspect_ref, polarity } of keepStated(list))
    polarities.set(aspect_ref, (polarities.get(aspect_ref) ?? new Set()).add(polarity));
  return [...polarities.values()].filter((found) => found.size > 1).length;
}
