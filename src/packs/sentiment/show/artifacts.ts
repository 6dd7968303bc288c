/** The files of a run's folder (sentiment spec §6): outputs, scorecards, and the gate's debug lines with their summary. */
import type { TextArtifact } from "../../../engine/pack.ts";
import type { FinalOutput, GateRecord } from "../schemas/output.ts";

export const lineFiles: Record<string, (output: FinalOutput) => object[]> = {
  "outputs.jsonl": (output) => [output],
  "scorecards.jsonl": (output) => [scorecardOf(output)],
  "override_gate_debug.jsonl": listGateDebugLines,
};

export function buildArtifacts(output: FinalOutput): TextArtifact[] {
  const summary = `${JSON.stringify(summariseGate(output.override_gate), null, 2)}\n`;
  return [
    ...Object.entries(lineFiles).map(([name, linesOf]) => ({ name, content: toJsonLines(linesOf(output)) })),
    { name: "override_gate_debug_summary.json", content: summary },
  ];
}

export function toJsonLines(values: readonly object[]): string {
  return values.map((value) => `${JSON.stringify(value)}\n`).join("");
}

function listGateDebugLines({ override_gate, meta }: FinalOutput): object[] {
  const { text_id, ev_score, ev_components, ev_threshold, adopt_decision, adopt_reason } = meta;
  const decision = { text_id, ev_score, ev_threshold, ev_components, adopt_decision, adopt_reason };
  return [...override_gate, { type: "ev_decision", ...decision }];
}

/** override_gate_debug_summary.json: counts aspects only, never the EV lines. */
export function summariseGate(records: readonly GateRecord[]) {
  const reasons = Map.groupBy(records, ({ skip_reason }) => skip_reason ?? "applied");
  const counts = [...reasons]
    .map(([reason, own]) => [reason, own.length] as const)
    .toSorted(([a], [b]) => a.localeCompare(b));
  const skipped = counts.filter(([reason]) => reason !== "applied");
  const applied = reasons.get("applied")?.length ?? 0;
  return {
    n_aspects: records.length,
    decision_applied_n: applied,
    decision_skip_n: records.length - applied,
    skip_reason_count: Object.fromEntries(skipped),
    skip_reason_rate: Object.fromEntries(skipped.map(([reason, count]) => [reason, count / records.length])),
    invalid_hint_total: records.reduce((sum, record) => sum + record.invalid_hint_count, 0),
  };
}

/** One line per text: what changed, why, and how the debate was mapped (sentiment spec §7 to §10). */
function scorecardOf(output: FinalOutput) {
  const { meta, final_result, moderator, review_context, settlements } = output;
  const { text: _text, ...kept } = meta;
  const { label, confidence, stage1_tuples, final_tuples } = final_result;
  return {
    ...kept,
    label,
    confidence,
    mapping_stats: review_context?.mapping_stats ?? null,
    mapping_fail_reasons: review_context?.mapping_fail_reasons ?? null,
    stage1_risk_count: output.stage1_validator.structural_risk_count,
    stage2_risk_count: output.stage2_validator?.structural_risk_count ?? null,
    applied_rules: moderator.applied_rules,
    settlements,
    stage1_tuples,
    final_tuples,
  };
}
