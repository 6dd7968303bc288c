/** The files of a run's folder (sentiment spec §6): outputs, scorecards, traces, the gate's debug lines and their summary, episodes. */
import type { TextArtifact } from "../../../engine/pack.ts";
import { isBelow } from "../rules/tuples.ts";
import type { FinalOutput, GateRecord } from "../schemas/output.ts";

/** The JSONL files of a run and the lines that one sample adds to each. */
export const lineFiles: Record<string, (output: FinalOutput) => object[]> = {
  "outputs.jsonl": (output) => [output],
  "scorecards.jsonl": (output) => [scorecardOf(output)],
  "traces.jsonl": (output) => [traceOf(output)],
  "override_gate_debug.jsonl": listGateDebugLines,
  "episodic_store.jsonl": (output) => (output.memory_episode ? [output.memory_episode] : []),
};

/** The files of a run's folder, written afresh (sentiment spec §6). */
export function buildArtifacts(outputs: readonly FinalOutput[]): TextArtifact[] {
  return [
    ...Object.entries(lineFiles).map(([name, linesOf]) => ({ name, content: toJsonLines(outputs.flatMap(linesOf)) })),
    {
      name: "override_gate_debug_summary.json",
      content: `${JSON.stringify(summariseGate(outputs.map(toGateSample)), null, 2)}\n`,
    },
  ];
}

/** JSON Lines. */
export function toJsonLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

/** The lines of override_gate_debug.jsonl for one sample: one record per aspect, then the sample's EV decision (sentiment spec §6). */
export function listGateDebugLines({ override_gate, meta }: FinalOutput): object[] {
  const { text_id, ev_score, ev_components, ev_threshold, adopt_decision, adopt_reason } = meta;
  const decision = {
    type: "ev_decision",
    text_id,
    ev_score,
    ev_threshold,
    ev_components,
    adopt_decision,
    adopt_reason,
  };
  return [...override_gate, decision];
}

/** What the summary needs of a sample; small, so that a long batch can keep it. */
export type GateSample = {
  aspects: Pick<GateRecord, "decision" | "skip_reason" | "total" | "margin" | "invalid_hint_count" | "thresholds">[];
  decision: Pick<FinalOutput["meta"], "text_id" | "adopt_decision" | "adopt_reason" | "ev_score" | "ev_threshold">;
};

export function toGateSample({ override_gate, meta }: FinalOutput): GateSample {
  const { text_id, adopt_decision, adopt_reason, ev_score, ev_threshold } = meta;
  return {
    aspects: override_gate.map(({ decision, skip_reason, total, margin, invalid_hint_count, thresholds }) => {
      return { decision, skip_reason, total, margin, invalid_hint_count, thresholds };
    }),
    decision: { text_id, adopt_decision, adopt_reason, ev_score, ev_threshold },
  };
}

/** override_gate_debug_summary.json: counts aspects only, never the EV lines (sentiment spec §6). */
export function summariseGate(samples: readonly GateSample[]) {
  const records = samples.flatMap((sample) => sample.aspects);
  const applied = records.filter((record) => record.decision === "APPLY").length;
  const skipCount = countBy(records.flatMap((record) => record.skip_reason ?? []));
  const rate = (count: number) => (records.length === 0 ? 0 : round(count / records.length));
  return {
    n_aspects: records.length,
    decision_applied_n: applied,
    decision_skip_n: records.length - applied,
    skip_reason_count: skipCount,
    skip_reason_rate: Object.fromEntries(Object.entries(skipCount).map(([reason, count]) => [reason, rate(count)])),
    low_signal_breakdown: { neutral_only: skipCount.neutral_only ?? 0, low_signal: skipCount.low_signal ?? 0 },
    invalid_hint_total: records.reduce((sum, record) => sum + record.invalid_hint_count, 0),
    total_dist: distribution(records.map((record) => record.total)),
    margin_dist: distribution(records.map((record) => record.margin)),
    threshold_near_rate: {
      total_near_rate: rate(records.filter((one) => isNear(one.total, one.thresholds.min_total)).length),
      margin_near_rate: rate(records.filter((one) => isNear(one.margin, one.thresholds.min_margin)).length),
    },
    by_sample: Object.fromEntries(samples.map(({ decision: { text_id, ...rest } }) => [text_id, rest])),
  };
}

/** Within 0.2 below a threshold. */
function isNear(value: number, threshold: number): boolean {
  return value < threshold && !isBelow(value, threshold - 0.2);
}

function countBy(names: readonly string[]): Record<string, number> {
  const counts: Record<string, number> = {};
  for (const name of names.toSorted()) counts[name] = (counts[name] ?? 0) + 1;
  return counts;
}

function distribution(values: readonly number[]) {
  if (values.length === 0) return null;
  const sorted = values.toSorted((a, b) => a - b);
  const at = (share: number) => {
    const place = share * (sorted.length - 1);
    const [low, high] = [sorted[Math.floor(place)] ?? 0, sorted[Math.ceil(place)] ?? 0];
    return round(low + (high - low) * (place - Math.floor(place)));
  };
  const mean = sorted.reduce((sum, value) => sum + value, 0) / sorted.length;
  return { min: at(0), mean: round(mean), median: at(0.5), p90: at(0.9), p95: at(0.95), max: at(1) };
}

function round(value: number): number {
  return Math.round(value * 1e4) / 1e4;
}

/** A sample on one line: what changed, why, and how the debate was mapped (sentiment spec §7 to §10). */
export function scorecardOf(output: FinalOutput) {
  const { meta, final_result, moderator, review_context, stage1_validator, stage2_validator } = output;
  const { stage1_tuples, final_tuples } = final_result;
  const changed = JSON.stringify(stage1_tuples) !== JSON.stringify(final_tuples);
  return {
    text_id: meta.text_id,
    language_code: meta.language_code,
    config_hash: meta.config_hash,
    label: final_result.label,
    confidence: final_result.confidence,
    gate_decision: meta.gate_decision,
    adopt_decision: meta.adopt_decision,
    adopt_reason: meta.adopt_reason,
    ev_score: meta.ev_score,
    override_stats: meta.debate_override_stats,
    override_skip_reasons: meta.debate_override_skip_reasons,
    mapping_stats: review_context?.mapping_stats ?? null,
    mapping_fail_reasons: review_context?.mapping_fail_reasons ?? null,
    stage1_risk_count: stage1_validator.structural_risk_count,
    stage2_risk_count: stage2_validator?.structural_risk_count ?? null,
    applied_rules: moderator?.applied_rules ?? [],
    stage_delta: { changed, n_stage1: stage1_tuples.length, n_final: final_tuples.length },
    settlements: output.settlements,
    stage1_tuples,
    final_tuples,
    input_problems: meta.input_problems,
  };
}

/** A sample's trace: what was said and decided, in order. */
export function traceOf({ meta, process_trace, analysis_flags, final_result }: FinalOutput) {
  const { text_id, language_code, config_hash } = meta;
  const { label, final_tuples } = final_result;
  return { text_id, language_code, config_hash, stages: process_trace, analysis_flags, label, final_tuples };
}
