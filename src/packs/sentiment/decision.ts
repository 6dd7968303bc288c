/** From grounded turns to the final output, without any player (sentiment spec §4 to §8). */
import { hashValue } from "../../engine/hash.ts";
import type { SentimentConfig } from "./config/config.ts";
import { type Adoption, adopt, logCorrections, makeLists } from "./rules/adopt.ts";
import { listOpenDoubts } from "./rules/doubts.ts";
import { aggregateCase, moderate } from "./rules/moderate.ts";
import { countOverrides, findMainReason, isOneSided } from "./rules/override-gate.ts";
import { type Settling, settleCase } from "./rules/settle.ts";
import { cleanText, findTerm, findWord, sortByPlace } from "./rules/text.ts";
import { listTuples, type Stated, tupleKeyOf } from "./rules/tuples.ts";
import { type SettledDebate, silentJudge, type Tuple } from "./schemas/debate.ts";
import type { CaseTurns } from "./schemas/inputs.ts";
import type { FinalAspect, FinalOutput, Moderation } from "./schemas/output.ts";
import type { Aspect } from "./schemas/stage1.ts";

export { type FinalOutput, FinalOutputSchema } from "./schemas/output.ts";

export function decideCase(given: CaseTurns, config: SentimentConfig): FinalOutput {
  const turns = keepCountedTurns(given, config);
  const { text } = turns.material;
  const settling = settleCase(turns, config);
  const lists = makeLists(settling, config.neutral_policy);
  const adoption = adopt(settling, lists, config);
  const { adopted } = adoption;
  const final = adopted ? lists.settled : lists.stage1;
  const aspects = adopted ? settling.reviewed.aspects : turns.stage1.aspects;
  const aggregates = aggregateCase(turns, adopted ? { sentiments: final.raw, aspects } : null);
  const settled_tuples = settling.judge && listTuples(text, lists.settled.shown);
  const final_tuples = listTuples(text, final.shown);
  const moderator = moderate({
    ...aggregates,
    validator: isVetoRefused(settling, adopted) ? null : aggregates.stage1_validator,
    debate_summary: settling.context && isOneSided(settling.context) ? null : (turns.debate?.summary ?? null),
    final_tuples,
  });
  const { final_label: label, confidence, rationale } = moderator;
  return {
    meta: writeMeta(settling, adoption, config),
    stage1_aspects: turns.stage1.aspects,
    ...aggregates,
    moderator,
    debate: writeDebate(turns, settled_tuples),
    settlements: listSettlements(settling),
    review_context: settling.context,
    override_gate: settling.gate?.records ?? [],
    correction_applied_log: logCorrections(settling, adopted),
    strikes: turns.strikes,
    doubts: listOpenDoubts(turns, final_tuples),
    process_trace: traceProcess(turns, moderator),
    final_result: {
      label,
      confidence,
      rationale,
      final_aspects: listFinalAspects(turns, final.shown, aspects),
      mentions: sortByPlace(text, final.mentions, (term) => term),
      stage1_tuples: listTuples(text, lists.stage1.shown),
      stage2_tuples: listTuples(text, lists.patched.shown),
      final_tuples,
    },
  };
}

function listSettlements({ aspects, judge }: Settling): FinalOutput["settlements"] {
  return aspects
    .filter((one) => one.stage1.length > 0 || (judge ? judge.aspects.includes(one.aspect) : one.patched.length > 0))
    .map(({ settlement }) => settlement);
}

function isVetoRefused({ turns, reviewed, aspects }: Settling, adopted: boolean): boolean {
  if (turns.stage2 === null && turns.debate === null) return false;
  const flips = reviewed.corrections.filter((one) => one.asked_by === "validator" && one.resulting_polarity !== null);
  const stands = aspects.some((own) =>
    flips.some(
      (flip) =>
        own.aspect === flip.target_aspect && own.settled.some(({ polarity }) => polarity === flip.resulting_polarity),
    ),
  );
  return !adopted || !stands;
}

/** The turns that count under a config, without those switched off (sentiment spec §1). */
export function keepCountedTurns(turns: CaseTurns, config: SentimentConfig): CaseTurns {
  const isDebate = config.protocol === "debate";
  return {
    ...turns,
    debate: config.enable_debate && isDebate ? turns.debate : null,
    stage2: isDebate ? turns.stage2 : null,
  };
}

function writeMeta({ turns, gate }: Settling, adoption: Adoption, config: SentimentConfig): FinalOutput["meta"] {
  const records = gate?.records ?? [];
  const { stats, conflicts } = countOverrides(records);
  const isApplied = gate?.applied != null;
  const { adopted, ev_score, ev_components } = adoption;
  const evidence = records.map((record) => record.skip_reason).find((reason) => reason?.includes("evidence_span"));
  const input_problems: Record<string, number> = {};
  for (const { code } of turns.strikes) input_problems[code] = (input_problems[code] ?? 0) + 1;
  return {
    text_id: turns.text_id,
    text: turns.material.text,
    language_code: turns.material.language_code,
    config_hash: hashValue(config),
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

function writeDebate({ debate }: CaseTurns, settled_tuples: Tuple[] | null): SettledDebate | null {
  if (debate === null || debate.style === "stance") return debate;
  return { ...debate, summary: { ...(debate.summary ?? silentJudge), settled_tuples: settled_tuples ?? [] } };
}

function listFinalAspects(turns: CaseTurns, list: readonly Stated[], aspects: readonly Aspect[]): FinalAspect[] {
  const { text } = turns.material;
  const clean = cleanText(turns.source);
  const bySureness = list.toSorted((a, b) => a.confidence - b.confidence);
  const distinct = new Map(bySureness.map((sentiment) => [tupleKeyOf(sentiment), sentiment]));
  const placed = [...distinct.values()].map((sentiment): FinalAspect => {
    const known = aspects.find((aspect) => aspect.term === sentiment.aspect_ref)?.span;
    const { aspect_ref } = sentiment;
    const span = known ?? findWord(turns.material, aspect_ref) ?? findTerm(text, aspect_ref);
    return { ...sentiment, span, source_span: span && clean.text === text ? clean.sourceOf(span) : span };
  });
  return sortByPlace(text, placed, (sentiment) => sentiment.aspect_ref);
}

function traceProcess({ stage1, debate, stage2 }: CaseTurns, moderator: Moderation) {
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
