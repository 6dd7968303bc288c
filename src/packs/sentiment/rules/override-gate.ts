/** The override gate (sentiment spec §6): whether the debate overrides the reviewed list, aspect by aspect. */
import type { z } from "zod";
import type { Material } from "../schemas/material.ts";
import type {
  ConflictReasonsSchema,
  Correction,
  GateRecord,
  OverrideStatsSchema,
  SkipReason,
  Thresholds,
} from "../schemas/output.ts";
import type { Polarity, Sentiment, StructuralRisk } from "../schemas/stage1.ts";
import type { Hint, ReviewContext } from "../schemas/stage2.ts";
import { findUnfit, orderByText } from "./text.ts";
import {
  canonicalisePolarity,
  createSentiment,
  findMostConfident,
  isBelow,
  keepStated,
  pickOwn,
  type Stated,
} from "./tuples.ts";

const l3RiskTypes = ["NEGATION_SCOPE", "CONTRAST_SCOPE", "POLARITY_MISMATCH", "NEGATION", "CONTRAST", "IRONY"];

export type GateInput = {
  material: Material;
  text_id: string;
  /** The list after validator, ATE and ATSA changes. */
  sentiments: readonly Sentiment[];
  /** The risks of Stage 1. */
  risks: readonly StructuralRisk[];
  review_context: ReviewContext;
  thresholds: Thresholds;
  /** True when memory that a speaker was shown advises against this polarity for this aspect. */
  memoryAdvisesAgainst(aspect: string, polarity: Polarity): boolean;
  /** True when settling would take up this tuple (sentiment spec §6a), so that gate and settled tuples agree on additions. */
  acceptsAddition(aspect: string, polarity: Polarity): boolean;
};

export type GateOutcome = {
  sentiments: Sentiment[];
  records: GateRecord[];
  /** The one override of this sample that changes a tuple, or null. */
  applied: { aspect: string; polarity: Polarity } | null;
  corrections: Correction[];
};

/** Decides, aspect by aspect; of those that may be overridden, the best supported one is. */
export function overrideGate(input: GateInput): GateOutcome {
  const outcome: GateOutcome = { sentiments: [...input.sentiments], records: [], applied: null, corrections: [] };
  const judged = orderByText(input.material.text, Object.keys(input.review_context.aspect_hints)).map((aspect) => {
    const view = viewAspect(aspect, input);
    return { view, reason: findSkipReason(view, input) };
  });
  const open = judged.filter(({ reason }) => reason === null).map(({ view }) => view);
  const chosen = findBestSupported(open);
  for (const { view, reason } of judged) {
    const skip = reason === null && view !== chosen ? "max_one_override_per_sample" : reason;
    outcome.records.push(writeRecord(view, input, skip));
    const { target } = view.scores;
    if (skip !== null || target === null) continue;
    const isChange = view.current?.polarity !== target;
    if (isChange) outcome.applied = { aspect: view.aspect, polarity: target };
    outcome.sentiments = override(outcome.sentiments, view, target, input);
    outcome.corrections.push(writeCorrection(view, target));
  }
  return outcome;
}

/** A change before a mere gain of confidence, then the strongest votes, then the order of the text. */
function findBestSupported(views: readonly View[]): View | null {
  const strength = ({ scores }: View) => Math.min(scores.total / 2, scores.margin);
  const changes = ({ current, scores }: View) => Number(current?.polarity !== scores.target);
  return views.toSorted((a, b) => changes(b) - changes(a) || strength(b) - strength(a))[0] ?? null;
}

/** The votes on an aspect, summed: neutral votes and removals are votes for neither side. */
type Scores = {
  pos_score: number;
  neg_score: number;
  total: number;
  margin: number;
  target: Polarity | null;
  /** The votes for the target. */
  behind: Hint[];
  valid_hint_count: number;
  invalid_hint_count: number;
};

function scoreHints(hints: readonly Hint[], invalid: number): Scores {
  const votes = (polarity: Polarity) => hints.filter((hint) => canonicalisePolarity(hint.polarity_hint) === polarity);
  const [positive, negative] = [votes("positive"), votes("negative")];
  const sum = (list: readonly Hint[]) => round(list.reduce((total, hint) => total + hint.weight, 0));
  const [pos_score, neg_score] = [sum(positive), sum(negative)];
  const valid_hint_count = positive.length + negative.length;
  const target = valid_hint_count === 0 ? null : pos_score > neg_score ? "positive" : "negative";
  const unknown = hints.filter(
    (hint) => hint.polarity_hint !== null && canonicalisePolarity(hint.polarity_hint) === null,
  );
  return {
    pos_score,
    neg_score,
    total: round(pos_score + neg_score),
    margin: round(Math.abs(pos_score - neg_score)),
    target,
    behind: target === "positive" ? positive : target === "negative" ? negative : [],
    valid_hint_count,
    invalid_hint_count: invalid + unknown.length,
  };
}

/** Drops the noise of adding decimals. */
function round(value: number): number {
  return Math.round(value * 1e9) / 1e9;
}

type View = {
  aspect: string;
  scores: Scores;
  evidence: { span: string | null; reason: SkipReason | null };
  matches: Stated[];
  /** Of several matches the most confident counts. */
  current: Stated | null;
};

function viewAspect(aspect: string, { material, sentiments, review_context }: GateInput): View {
  const matches = keepStated(sentiments, aspect);
  const invalid = pickOwn(review_context.invalid_hint_count, aspect) ?? 0;
  const scores = scoreHints(pickOwn(review_context.aspect_hints, aspect) ?? [], invalid);
  const evidence = findEvidence(material, { aspect, polarity: scores.target }, review_context);
  return { aspect, scores, evidence, matches, current: findMostConfident(matches) };
}

/** The evidence behind a polarity of an aspect, and what is wrong with it (gate steps 3 to 5). */
export function findEvidence(
  material: Material,
  { aspect, polarity }: { aspect: string; polarity: Polarity | null },
  context: ReviewContext,
): { span: string | null; reason: SkipReason | null } {
  const { text } = material;
  const given = listGivenSpans(aspect, context)
    .map((span) => span.trim())
    .filter((span) => span !== "");
  const inText = given.filter((span) => text.includes(span));
  const about = { aspect, others: context.aspect_terms, polarity };
  const fit = inText.find((span) => findUnfit(material, span, about) === null);
  if (fit === undefined) {
    const isForeign = inText.length > 0 || given.length === 0 || !isPatch(context);
    return isForeign
      ? { span: null, reason: "no_evidence_span" }
      : { span: given[0] ?? null, reason: "evidence_span_not_in_text" };
  }
  return { span: fit, reason: fit.length < 2 ? "evidence_span_missing_trigger" : null };
}

function isPatch({ summary }: ReviewContext): boolean {
  return summary !== null && "final_tuples" in summary;
}

/** The judge's span for the aspect, else those of the sentence; in the stance style the speakers' key points and quotes in them. */
function listGivenSpans(aspect: string, { summary, rebuttal_points }: ReviewContext): string[] {
  if (summary !== null && "final_tuples" in summary)
    return [pickOwn(summary.aspect_evidence, aspect) ?? "", ...summary.sentence_evidence_spans];
  if (summary === null) return [];
  const points = rebuttal_points
    .filter((point) => point.aspect_refs.includes(aspect))
    .flatMap((point) => point.key_points);
  return points.flatMap((point) => [
    point,
    ...[...point.matchAll(/["“‘'「『«]([^"”’'」』»]+)["”’'」』»]/g)].map((match) => match[1] ?? ""),
  ]);
}

/** True when a stance debate had but one speaker: one side is no debate. */
export function isOneSided({ summary, rebuttal_points }: Pick<ReviewContext, "summary" | "rebuttal_points">): boolean {
  const isStance = summary !== null && !("final_tuples" in summary);
  return isStance && new Set(rebuttal_points.filter(({ weight }) => weight > 0).map(({ speaker }) => speaker)).size < 2;
}

/** Steps 2 to 12 of the gate, in order; null means that the aspect may be overridden. */
function findSkipReason(view: View, input: GateInput): SkipReason | null {
  const { scores, evidence, matches, current } = view;
  const { thresholds } = input;
  if (scores.target === null) return "neutral_only";
  if (evidence.reason !== null) return evidence.reason;
  if (isOneSided(input.review_context)) return "one_sided";
  if (isBelow(scores.total, thresholds.min_total)) return "low_signal";
  if (isBelow(scores.margin, thresholds.min_margin)) return "action_ambiguity";
  if (thresholds.l3_conservative && listL3Types(input.risks).length > 0) return "l3_conservative";
  if (matches.length > 0 && matches.every((sentiment) => sentiment.is_implicit)) return "implicit_soft_only";
  if (input.memoryAdvisesAgainst(view.aspect, scores.target)) return "contradictory_memory";
  const stated = scores.behind.flatMap((hint) => hint.confidence ?? []);
  if (stated.length > 0 && isBelow(stated.reduce((a, b) => a + b, 0) / stated.length, 0.5)) return "low_confidence";
  if (current === null) {
    const placeable = view.aspect !== "" && input.material.text.includes(view.aspect);
    return placeable && input.acceptsAddition(view.aspect, scores.target) ? null : "low_signal";
  }
  if (current.polarity !== scores.target) return null;
  if (!isBelow(current.confidence, thresholds.min_target_conf)) return "already_confident";
  return scores.behind.every((hint) => hint.by_program) ? "shared_reading" : null;
}

/** An override has the confidence that the thresholds assign, and no more; programs that agree make nobody surer. */
function override(sentiments: readonly Sentiment[], view: View, target: Polarity, input: GateInput): Sentiment[] {
  const { current, aspect, evidence } = view;
  const assigned = input.thresholds.min_target_conf;
  const confidence =
    current !== null && view.scores.behind.every((hint) => hint.by_program)
      ? Math.min(current.confidence, assigned)
      : assigned;
  if (current === null)
    return [...sentiments, createSentiment(aspect, target, { evidence: evidence.span ?? "", confidence })];
  const kept = current.polarity === target ? current : { ...current, evidence: evidence.span ?? current.evidence };
  const changed = { ...kept, polarity: target, confidence, polarity_distribution: null };
  return sentiments
    .filter((sentiment) => sentiment === current || !view.matches.some((match) => match === sentiment))
    .map((sentiment) => (sentiment === current ? changed : sentiment));
}

/** The L3 risk types among the risks of Stage 1. */
function listL3Types(risks: readonly StructuralRisk[]): string[] {
  return [...new Set(risks.map((risk) => risk.type).filter((type) => l3RiskTypes.includes(type)))];
}

function nameAction({ current, scores }: View): NonNullable<GateRecord["override_action"]> {
  if (current === null) return "debate_override_add";
  return current.polarity === scores.target ? "debate_override_confidence" : "debate_override_flip";
}

function writeRecord(view: View, input: GateInput, skip: SkipReason | null): GateRecord {
  const { scores, evidence, current, matches } = view;
  const types = listL3Types(input.risks);
  return {
    text_id: input.text_id,
    aspect: view.aspect,
    valid_hint_count: scores.valid_hint_count,
    invalid_hint_count: scores.invalid_hint_count,
    pos_score: scores.pos_score,
    neg_score: scores.neg_score,
    total: scores.total,
    margin: scores.margin,
    target_pol: scores.target,
    current_pol: current?.polarity ?? null,
    current_conf: current?.confidence ?? null,
    is_implicit: matches.length > 0 && matches.every((sentiment) => sentiment.is_implicit),
    l3_flag: types.length > 0,
    l3_types: types,
    thresholds: input.thresholds,
    decision: skip === null ? "APPLY" : "SKIP",
    skip_reason: skip,
    override_action: skip === null ? nameAction(view) : null,
    evidence: evidence.span,
    evidence_ok: evidence.reason === null,
    evidence_reason: evidence.reason,
  };
}

function writeCorrection(view: View, target: Polarity): Correction {
  const { pos_score, neg_score } = view.scores;
  return {
    proposal_type: "DEBATE_OVERRIDE",
    target_aspect: view.aspect,
    asked_by: [...new Set(view.scores.behind.map((hint) => hint.speaker))].join(", "),
    rationale: `debate votes: positive ${pos_score}, negative ${neg_score}`,
    applied: true,
    reason: nameAction(view),
    resulting_polarity: target,
    resulting_term: null,
    provenance: null,
  };
}

type Stats = Omit<z.infer<typeof OverrideStatsSchema>, "ev_score" | "ev_adopted" | "ev_components">;
type Conflicts = z.infer<typeof ConflictReasonsSchema>;

/** Counts the gate's decisions by its counters. */
export function countOverrides(records: readonly GateRecord[]): { stats: Stats; conflicts: Conflicts } {
  const count = (...reasons: SkipReason[]) =>
    records.filter((record) => record.skip_reason !== null && reasons.includes(record.skip_reason)).length;
  const applied = records.filter((record) => record.decision === "APPLY");
  const raised = applied.filter((record) => record.override_action === "debate_override_confidence").length;
  const conflicts: Conflicts = {
    action_ambiguity: count("action_ambiguity"),
    L3_conservative: count("l3_conservative"),
    implicit_soft_only: count("implicit_soft_only"),
    contradictory_memory: count("contradictory_memory"),
    low_confidence: count("low_confidence"),
  };
  return {
    stats: {
      applied: applied.length - raised,
      applied_confidence: raised,
      skipped_max_one_override_per_sample: count("max_one_override_per_sample"),
      skipped_neutral_only: count("neutral_only"),
      skipped_low_signal: count("low_signal", "neutral_only", "one_sided"),
      skipped_no_evidence_span: count("no_evidence_span"),
      skipped_evidence_span_not_in_text: count("evidence_span_not_in_text"),
      skipped_evidence_span_missing_trigger: count("evidence_span_missing_trigger"),
      skipped_conflict: Object.values(conflicts).reduce((a, b) => a + b, 0),
      skipped_already_confident: count("already_confident", "shared_reading"),
    },
    conflicts,
  };
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
  "one_sided",
  "low_signal",
  "neutral_only",
  "shared_reading",
  "already_confident",
];

/** The skip reason that stands for a sample (sentiment spec §7); null when the gate saw no aspect. */
export function findMainReason(records: readonly GateRecord[]): SkipReason | null {
  const seen = new Set(records.map((record) => record.skip_reason));
  return priority.find((reason) => seen.has(reason)) ?? null;
}
