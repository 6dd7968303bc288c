/** The override gate (sentiment spec §6): whether the debate overrides the reviewed list, aspect by aspect. */
import type { Material } from "../schemas/material.ts";
import { type Correction, type GateRecord, type SkipReason, skipReasons, type Thresholds } from "../schemas/output.ts";
import type { Polarity, StructuralRisk } from "../schemas/stage1.ts";
import type { Hint, ReviewContext } from "../schemas/stage2.ts";
import { findUnfit, listQuoted, saysMore } from "./text.ts";
import { createSentiment, findMostConfident, isBelow, pickOwn, roundOff, type Stated } from "./tuples.ts";

const l3RiskTypes = ["NEGATION_SCOPE", "CONTRAST_SCOPE", "POLARITY_MISMATCH", "NEGATION", "CONTRAST", "IRONY"];

/** An aspect at the gate: what Stage 1 and the reviews say, and the votes (null: nobody mentioned it). */
type Overridable = { aspect: string; stage1: Stated[]; reviewed: Stated[]; votes: Hint[] | null };

type GateInput = {
  material: Material;
  text_id: string;
  risks: readonly StructuralRisk[];
  review_context: ReviewContext;
  thresholds: Thresholds;
  memoryAdvisesAgainst(aspect: string, polarity: Polarity): boolean;
  /** True when settling would accept this tuple (sentiment spec §6a), so that gate and settling agree on additions. */
  acceptsAddition(aspect: string, polarity: Polarity): boolean;
};

export type GateOutcome = {
  records: GateRecord[];
  applied: { aspect: string; sentiment: Stated; isChange: boolean; correction: Correction } | null;
};

/** Decides aspect by aspect; overrides the best supported of those that may be overridden. */
export function overrideGate(aspects: readonly Overridable[], input: GateInput): GateOutcome {
  const views = aspects.flatMap((one) => (one.votes === null ? [] : [viewAspect(one, one.votes, input)]));
  const skips = views.map((view) => findSkipReason(view, input));
  const chosen = findBestSupported(views.filter((_, at) => skips[at] === null));
  const records = views.map((view, at) => {
    const isOther = skips[at] === null && view !== chosen;
    return writeRecord(view, input, isOther ? "max_one_override_per_sample" : (skips[at] ?? null));
  });
  return { records, applied: chosen && override(chosen, input) };
}

type View = ReturnType<typeof viewAspect>;

function viewAspect(one: Overridable, votes: readonly Hint[], input: GateInput) {
  const scores = scoreVotes(votes);
  const { aspect } = one;
  const evidence = findEvidence(input.material, { aspect, polarity: scores.target }, input.review_context);
  return { ...one, scores, evidence, current: findMostConfident(one.reviewed) };
}

/** A change goes before a mere gain of confidence, then the strongest votes, then text order. */
function findBestSupported(views: readonly View[]): View | null {
  const strength = ({ scores }: View) => Math.min(scores.total / 2, scores.margin);
  const changes = ({ current, scores }: View) => Number(current?.polarity !== scores.target);
  return views.toSorted((a, b) => changes(b) - changes(a) || strength(b) - strength(a))[0] ?? null;
}

/** Sums the votes on an aspect; neutral votes and removals are for neither side. `behind` are those for the target. */
function scoreVotes(all: readonly Hint[]) {
  const votes = (polarity: Polarity) => all.filter((hint) => hint.polarity_hint === polarity);
  const sum = (list: readonly Hint[]) => roundOff(list.reduce((total, hint) => total + hint.weight, 0));
  const [positive, negative] = [votes("positive"), votes("negative")];
  const [pos_score, neg_score] = [sum(positive), sum(negative)];
  const valid_hint_count = positive.length + negative.length;
  const target: Polarity | null = valid_hint_count === 0 ? null : pos_score > neg_score ? "positive" : "negative";
  return {
    pos_score,
    neg_score,
    total: roundOff(pos_score + neg_score),
    margin: roundOff(Math.abs(pos_score - neg_score)),
    target,
    behind: target === "positive" ? positive : negative,
    valid_hint_count,
  };
}

/** Evidence for a polarity of an aspect, and its problems (gate steps 3 to 5). */
export function findEvidence(
  material: Material,
  { aspect, polarity }: { aspect: string; polarity: Polarity | null },
  context: ReviewContext,
): { span: string | null; reason: SkipReason | null } {
  const { spans, areQuotes } = listGivenSpans(aspect, context);
  const given = spans.map((span) => span.trim()).filter((span) => span !== "");
  const inText = given.filter((span) => material.text.includes(span));
  const about = { aspect, others: context.aspect_terms, polarity };
  const fits = inText.filter((span) => findUnfit(material, span, about) === null);
  const fit = fits.find((span) => saysMore(span, aspect)) ?? fits[0];
  if (fit !== undefined) return { span: fit, reason: saysMore(fit, aspect) ? null : "evidence_span_missing_trigger" };
  if (!areQuotes || inText.length > 0 || given[0] === undefined) return { span: null, reason: "no_evidence_span" };
  return { span: given[0], reason: "evidence_span_not_in_text" };
}

/**
 * The judge's evidence span for the aspect, then its spans for the sentence; in the stance style the speakers' key
 * points and quotes.
 */
function listGivenSpans(aspect: string, { summary, rebuttal_points }: ReviewContext) {
  if (summary === null) return { spans: [], areQuotes: true };
  if ("final_tuples" in summary) {
    const own = pickOwn(summary.aspect_evidence, aspect) ?? "";
    return { spans: [own, ...summary.sentence_evidence_spans], areQuotes: true };
  }
  const points = rebuttal_points.filter((point) => point.aspect_refs.includes(aspect));
  const spans = points.flatMap((point) => point.key_points).flatMap((point) => [point, ...listQuoted(point)]);
  return { spans, areQuotes: false };
}

/** True when a stance debate had one speaker, or never heard one of its sides. */
export function isOneSided({
  summary,
  rebuttal_points,
  sides,
}: Pick<ReviewContext, "summary" | "rebuttal_points" | "sides">): boolean {
  if (summary === null || "final_tuples" in summary) return false;
  const heard = new Set(rebuttal_points.map(({ stance }) => stance));
  const speakers = new Set(rebuttal_points.filter(({ weight }) => weight > 0).map(({ speaker }) => speaker));
  return speakers.size < 2 || sides.some((side) => !heard.has(side));
}

/** Steps 2 to 12 of the gate, in order; null means that the aspect may be overridden. */
function findSkipReason(view: View, input: GateInput): SkipReason | null {
  const { aspect, scores, evidence, stage1, reviewed, current } = view;
  const { thresholds, material } = input;
  if (scores.target === null) return "neutral_only";
  if (evidence.reason !== null) return evidence.reason;
  if (isOneSided(input.review_context)) return "one_sided";
  if (isBelow(scores.total, thresholds.min_total)) return "low_signal";
  if (isBelow(scores.margin, thresholds.min_margin)) return "action_ambiguity";
  /** Votes for Stage 1's polarity override a correction, not Stage 1. */
  const restores = findMostConfident(stage1)?.polarity === scores.target;
  if (thresholds.l3_conservative && !restores && listL3Types(input.risks).length > 0) return "l3_conservative";
  if (reviewed.length > 0 && reviewed.every((sentiment) => sentiment.is_implicit)) return "implicit_soft_only";
  if (input.memoryAdvisesAgainst(aspect, scores.target)) return "contradictory_memory";
  const stated = scores.behind.flatMap((hint) => hint.confidence ?? []);
  if (stated.length > 0 && isBelow(stated.reduce((a, b) => a + b, 0) / stated.length, 0.5)) return "low_confidence";
  if (current === null) {
    const isPlaced = aspect !== "" && material.text.includes(aspect);
    return isPlaced && input.acceptsAddition(aspect, scores.target) ? null : "low_signal";
  }
  if (current.polarity !== scores.target) return null;
  if (!isBelow(current.confidence, thresholds.min_target_conf)) return "already_confident";
  return isSharedReading(view) ? "shared_reading" : null;
}

/** True when only programs vote for the target: they share one reading, so their agreement is no evidence. */
function isSharedReading({ scores }: View): boolean {
  return scores.behind.every((hint) => hint.by_program);
}

/** An override gets the confidence set by the thresholds, and no more. */
function override(view: View, { thresholds }: GateInput): GateOutcome["applied"] {
  const { aspect, current, scores, evidence } = view;
  const polarity = scores.target as Polarity;
  const confidence = thresholds.min_target_conf;
  const isChange = current?.polarity !== polarity;
  const words = (isChange && evidence.span) || (current?.evidence ?? "");
  const sure = current && isSharedReading(view) ? Math.min(current.confidence, confidence) : confidence;
  const stated = createSentiment(aspect, polarity, { evidence: words, confidence: sure });
  return {
    aspect,
    isChange,
    sentiment: { ...stated, is_implicit: current?.is_implicit ?? false, opinion_term: current?.opinion_term ?? null },
    correction: {
      proposal_type: "DEBATE_OVERRIDE",
      target_aspect: aspect,
      asked_by: [...new Set(scores.behind.map((hint) => hint.speaker))].join(", "),
      rationale: `debate votes: positive ${scores.pos_score}, negative ${scores.neg_score}`,
      applied: true,
      reason: nameAction(view),
      resulting_polarity: polarity,
      resulting_term: null,
    },
  };
}

function listL3Types(risks: readonly StructuralRisk[]): string[] {
  return [...new Set(risks.map((risk) => risk.type).filter((type) => l3RiskTypes.includes(type)))];
}

function nameAction({ current, scores }: View): NonNullable<GateRecord["override_action"]> {
  if (current === null) return "debate_override_add";
  return current.polarity === scores.target ? "debate_override_confidence" : "debate_override_flip";
}

function writeRecord(view: View, input: GateInput, skip: SkipReason | null): GateRecord {
  const { behind: _behind, target, ...scores } = view.scores;
  return {
    text_id: input.text_id,
    aspect: view.aspect,
    ...scores,
    invalid_hint_count: pickOwn(input.review_context.invalid_hint_count, view.aspect) ?? 0,
    target_pol: target,
    current_pol: view.current?.polarity ?? null,
    current_conf: view.current?.confidence ?? null,
    l3_types: listL3Types(input.risks),
    thresholds: input.thresholds,
    decision: skip === null ? "APPLY" : "SKIP",
    skip_reason: skip,
    override_action: skip === null ? nameAction(view) : null,
    evidence: view.evidence.span,
  };
}

const conflicts: SkipReason[] = [
  "action_ambiguity",
  "l3_conservative",
  "implicit_soft_only",
  "contradictory_memory",
  "low_confidence",
];

/** The counters of document 004; overrides that only change a confidence are counted separately. */
export function countOverrides(records: readonly GateRecord[]) {
  const count = (reasons: readonly SkipReason[]) =>
    records.filter(({ skip_reason }) => skip_reason !== null && reasons.includes(skip_reason)).length;
  const each = (reasons: readonly SkipReason[], nameOf: (reason: SkipReason) => string) =>
    Object.fromEntries(reasons.map((reason) => [nameOf(reason), count([reason])]));
  const applied = records.filter(({ decision }) => decision === "APPLY");
  const raised = applied.filter(({ override_action }) => override_action === "debate_override_confidence").length;
  return {
    stats: {
      ...each(skipReasons, (reason) => `skipped_${reason}`),
      applied: applied.length - raised,
      applied_confidence: raised,
      skipped_low_signal: count(["low_signal", "neutral_only", "one_sided"]),
      skipped_already_confident: count(["already_confident", "shared_reading"]),
      skipped_conflict: count(conflicts),
    },
    conflicts: each(conflicts, (reason) => reason.replace("l3", "L3")),
  };
}

/** The main skip reason of a text (sentiment spec §7); null when the gate saw no aspect. */
export function findMainReason(records: readonly GateRecord[]): SkipReason | null {
  const seen = new Set(records.map((record) => record.skip_reason));
  return skipReasons.find((reason) => seen.has(reason)) ?? null;
}
