import type { ConflictReasons, GateCounts, GateRecord, SkipReason } from "../../schemas/outcome.ts";

const counters: Record<SkipReason, { stats: (keyof GateCounts)[]; conflict?: keyof ConflictReasons }> = {
  max_one_override_per_sample: { stats: ["skipped_max_one_override_per_sample"] },
  neutral_only: { stats: ["skipped_neutral_only", "skipped_low_signal"] },
  no_evidence_span: { stats: ["skipped_no_evidence_span"] },
  evidence_span_not_in_text: { stats: ["skipped_evidence_span_not_in_text"] },
  evidence_span_missing_trigger: { stats: ["skipped_evidence_span_missing_trigger"] },
  low_signal: { stats: ["skipped_low_signal"] },
  action_ambiguity: { stats: ["skipped_conflict"], conflict: "action_ambiguity" },
  l3_conservative: { stats: ["skipped_conflict"], conflict: "L3_conservative" },
  implicit_soft_only: { stats: ["skipped_conflict"], conflict: "implicit_soft_only" },
  contradictory_memory: { stats: ["skipped_conflict"], conflict: "contradictory_memory" },
  low_confidence: { stats: ["skipped_conflict"], conflict: "low_confidence" },
  already_confident: { stats: ["skipped_already_confident"] },
};

/** Counts the gate's decisions by its counters (sentiment spec §6). */
export function countOverrides(records: readonly GateRecord[]): { stats: GateCounts; conflicts: ConflictReasons } {
  const stats: GateCounts = {
    applied: 0,
    skipped_max_one_override_per_sample: 0,
    skipped_neutral_only: 0,
    skipped_low_signal: 0,
    skipped_no_evidence_span: 0,
    skipped_evidence_span_not_in_text: 0,
    skipped_evidence_span_missing_trigger: 0,
    skipped_conflict: 0,
    skipped_already_confident: 0,
  };
  const conflicts: ConflictReasons = {
    action_ambiguity: 0,
    L3_conservative: 0,
    implicit_soft_only: 0,
    contradictory_memory: 0,
    low_confidence: 0,
  };
  for (const record of records) {
    if (record.skip_reason === null) stats.applied += 1;
    const counter = record.skip_reason === null ? { stats: [] } : counters[record.skip_reason];
    for (const name of counter.stats) stats[name] += 1;
    if (counter.conflict) conflicts[counter.conflict] += 1;
  }
  return { stats, conflicts };
}

const priority: SkipReason[] = [
  "l3_conservative",
  "action_ambiguity",
  "implicit_soft_only",
  "contradictory_memory",
  "low_confidence",
  "no_evidence_span",
  "evidence_span_not_in_text",
  "evidence_span_missing_trigger",
  "low_signal",
  "neutral_only",
  "already_confident",
];

/** The skip reason that stands for a sample (sentiment spec §7); null when the gate saw no aspect. */
export function findMainReason(records: readonly GateRecord[]): SkipReason | null {
  const seen = new Set(records.map((record) => record.skip_reason));
  return priority.find((reason) => seen.has(reason)) ?? null;
}

/** The evidence reason that stands for a sample, if one fired. */
export function findEvidenceReason(records: readonly GateRecord[]): SkipReason | null {
  return records.map((record) => record.skip_reason).find((reason) => reason?.includes("evidence_span")) ?? null;
}
