/** Writes down what was decided; nothing is decided here (sentiment spec §8). */
import { hashValue } from "../../../engine/hash.ts";
import type { SentimentConfig } from "../config/config.ts";
import { type Episode, type SettledDebate, silentJudge, type Tuple } from "../schemas/debate.ts";
import type { CaseTurns } from "../schemas/inputs.ts";
import type {
  Adoption,
  Correction,
  FinalAspect,
  FinalOutput,
  Moderation,
  SentenceAggregate,
} from "../schemas/output.ts";
import type { Sentiment } from "../schemas/stage1.ts";
import type { CaseLists, ListPair, RuleResults } from "./adopt.ts";
import { listOpenDoubts } from "./doubts.ts";
import type { Aggregates } from "./moderate.ts";
import { countOverrides, findMainReason } from "./override-gate.ts";
import { cleanText, findTerm, orderByText, sortByPlace } from "./text.ts";
import { keepStated, listTuples, type Stated, tupleKeyOf } from "./tuples.ts";

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

export function writeOutput(decided: Decided, config: SentimentConfig): FinalOutput {
  const { rules, lists, final, aggregates, moderator, sentence } = decided;
  const { turns } = rules;
  const { text } = turns.material;
  const tuples = (list: ListPair) => listTuples(text, list.shown);
  const aspects = decided.adoption.adopted ? rules.reviewed.aspects : turns.stage1.aspects;
  const final_result = {
    ...sentence,
    final_aspects: listAspects(turns, final.shown, aspects),
    mentions: orderByText(text, final.mentions),
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
    strikes: turns.strikes,
    doubts: listOpenDoubts(turns, { final_result }),
    process_trace: traceProcess(turns, moderator),
    analysis_flags: {
      correction_occurred: JSON.stringify(final_result.final_tuples) !== JSON.stringify(final_result.stage1_tuples),
      conflict_resolved: countConflicts(lists.stage1.raw) > countConflicts(final.raw),
      stage2_executed: turns.stage2 !== null,
      final_confidence_score: sentence.confidence,
    },
    memory_episode: decided.episode,
    final_result,
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
  const records = gate?.records ?? [];
  const { stats, conflicts } = countOverrides(records);
  const isApplied = (gate?.corrections.length ?? 0) > 0;
  const { ev_score, ev_components } = adoption;
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
    adopt_decision: adoption.adopted ? "adopted" : "not_adopted",
    adopt_reason: adoption.reason,
    override_candidate: adoption.candidate,
    override_skipped_reason: isApplied ? null : findMainReason(records),
    override_evidence_gate_reason: isApplied ? null : (evidence ?? null),
    debate_override_stats: { ...stats, ev_score, ev_adopted: adoption.adopted, ev_components },
    debate_override_skip_reasons: conflicts,
    ev_score,
    ev_threshold: config.debate_override.ev_threshold,
    ev_components,
    input_problems,
  };
}

/** The debate, a patch debate with the settled tuples in its summary. */
function writeDebate({ turns: { debate } }: RuleResults, settled_tuples: Tuple[] | null): SettledDebate | null {
  if (debate === null || debate.style === "stance") return debate;
  return { ...debate, summary: { ...(debate.summary ?? silentJudge), settled_tuples: settled_tuples ?? [] } };
}

/** The sentiments of the final list, one per tuple, each with the place of its aspect. */
function listAspects(turns: CaseTurns, list: readonly Stated[], aspects: FinalOutput["stage1_aspects"]): FinalAspect[] {
  const { text } = turns.material;
  const distinct = new Map<string, Stated>();
  for (const sentiment of list) {
    const known = distinct.get(tupleKeyOf(sentiment));
    if (!known || sentiment.confidence > known.confidence) distinct.set(tupleKeyOf(sentiment), sentiment);
  }
  const clean = cleanText(turns.source);
  const placed = [...distinct.values()].map((sentiment): FinalAspect => {
    const known = aspects.find((aspect) => aspect.term === sentiment.aspect_ref)?.span;
    const span = known ?? findTerm(text, sentiment.aspect_ref);
    return { ...sentiment, span, source_span: span && clean.text === text ? clean.sourceOf(span) : span };
  });
  return sortByPlace(text, placed, (sentiment) => sentiment.aspect_ref);
}

/** How many aspects of a list hold more than one polarity. */
function countConflicts(list: readonly Sentiment[]): number {
  const byAspect = Map.groupBy(keepStated(list), ({ aspect_ref }) => aspect_ref);
  return [...byAspect.values()].filter((own) => new Set(own.map(({ polarity }) => polarity)).size > 1).length;
}

/** What was said and decided, in order. */
function traceProcess(
  { stage1, debate, stage2 }: CaseTurns,
  moderator: Moderation | null,
): FinalOutput["process_trace"] {
  const entry = (stage: string, agent: string, output: unknown) => ({ stage, agent, output });
  return [
    entry("stage1", "ATE", { aspects: stage1.aspects }),
    entry("stage1", "ATSA", { aspect_sentiments: stage1.aspect_sentiments }),
    ...(stage1.validator ? [entry("stage1", "Validator", stage1.validator)] : []),
    ...(debate?.rounds.flatMap(({ turns }) => turns.map((turn) => entry("debate", turn.agent, turn))) ?? []),
    ...(debate?.summary ? [entry("debate_judge", "DebateJudge", debate.summary)] : []),
    ...(stage2 ? [entry("stage2", "ATE", { aspect_review: stage2.aspect_review })] : []),
    ...(stage2 ? [entry("stage2", "ATSA", { sentiment_review: stage2.sentiment_review })] : []),
    ...(stage2?.validator ? [entry("stage2", "Validator", stage2.validator)] : []),
    ...(moderator ? [entry("moderator", "Moderator", moderator)] : []),
  ];
}
