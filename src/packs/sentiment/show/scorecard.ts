import type { FinalOutput } from "../schemas/final-output.ts";

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
