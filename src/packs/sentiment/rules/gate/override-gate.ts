import { pickThresholds, type Thresholds } from "../../config/profiles.ts";
import type { Correction, GateRecord, SkipReason } from "../../schemas/outcome.ts";
import type { Polarity, Sentiment, StructuralRisk } from "../../schemas/stage1.ts";
import type { ReviewContext } from "../../schemas/stage2.ts";
import { isBelow } from "../tuples/is-below.ts";
import { createSentiment, findMostConfident, keepStatedOf, type Stated } from "../tuples/stated.ts";
import { orderByText } from "../tuples/text-order.ts";
import { pickOwn } from "../tuples/pick-own.ts";
import { checkEvidence, type GateEvidence } from "./gate-evidence.ts";
import { type HintScores, scoreHints } from "./hint-scores.ts";

export const l3RiskTypes = ["NEGATION_SCOPE", "CONTRAST_SCOPE", "POLARITY_MISMATCH", "NEGATION", "CONTRAST", "IRONY"];

export type GateInput = {
  text: string;
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
  /** The one override of this sample, or null. */
  applied: { aspect: string; polarity: Polarity } | null;
  corrections: Correction[];
};

/** The confidence of an overridden sentiment, whatever the profile: how eager a gate is makes nobody surer. */
export const overrideConfidence = 0.7;

/** Decides, aspect by aspect, whether the debate overrides the list; of those that may be, the best supported one is (sentiment spec §6). */
export function overrideGate(input: GateInput): GateOutcome {
  const outcome: GateOutcome = { sentiments: [...input.sentiments], records: [], applied: null, corrections: [] };
  const judged = orderByText(input.text, Object.keys(input.review_context.aspect_hints)).map((aspect) => {
    const view = viewAspect(aspect, outcome.sentiments, input);
    return { view, reason: findSkipReason(view, input) };
  });
  const chosen = findBestSupported(judged.filter(({ reason }) => reason === null).map(({ view }) => view));
  for (const { view, reason } of judged) {
    const isSpent = outcome.applied !== null || (reason === null && view !== chosen);
    const skip = isSpent ? "max_one_override_per_sample" : reason;
    outcome.records.push(writeRecord(view, input, skip));
    if (skip !== null || view.scores.target === null) continue;
    outcome.applied = { aspect: view.aspect, polarity: view.scores.target };
    outcome.sentiments = override(outcome.sentiments, view, view.scores.target, input);
    outcome.corrections.push(writeCorrection(view, view.scores.target));
  }
  return outcome;
}

/** A change before a mere gain of confidence, then the strongest votes, then the order of the text. */
function findBestSupported(views: readonly View[]): View | null {
  const strength = ({ scores }: View) => Math.min(scores.total / 2, scores.margin);
  const changes = ({ current, scores }: View) => Number(current?.polarity !== scores.target);
  return views.toSorted((a, b) => changes(b) - changes(a) || strength(b) - strength(a))[0] ?? null;
}

type View = {
  aspect: string;
  scores: HintScores;
  evidence: GateEvidence;
  matches: Stated[];
  /** Of several matches the most confident counts. */
  current: Stated | null;
};

function viewAspect(aspect: string, sentiments: readonly Sentiment[], input: GateInput): View {
  const context = input.review_context;
  const matches = keepStatedOf(sentiments, aspect);
  return {
    aspect,
    scores: scoreHints(pickOwn(context.aspect_hints, aspect) ?? [], pickOwn(context.invalid_hint_count, aspect)),
    evidence: checkEvidence(input.text, aspect, context),
    matches,
    current: findMostConfident(matches),
  };
}

/** Steps 2 to 12 of the gate, in order; null means that the aspect may be overridden (sentiment spec §6). */
function findSkipReason(view: View, input: GateInput): SkipReason | null {
  const { scores, evidence, matches, current } = view;
  const { thresholds } = input;
  if (scores.target === null) return "neutral_only";
  if (evidence.reason !== null) return evidence.reason;
  if (isBelow(scores.total, thresholds.min_total)) return "low_signal";
  if (isBelow(scores.margin, thresholds.min_margin)) return "action_ambiguity";
  if (thresholds.l3_conservative && listL3Types(input.risks).length > 0) return "l3_conservative";
  if (matches.length > 0 && matches.every((sentiment) => sentiment.is_implicit)) return "implicit_soft_only";
  if (input.memoryAdvisesAgainst(view.aspect, scores.target)) return "contradictory_memory";
  if (scores.targetConfidence !== null && isBelow(scores.targetConfidence, 0.5)) return "low_confidence";
  if (current === null)
    return isPlaceable(view.aspect, input.text) && input.acceptsAddition(view.aspect, scores.target)
      ? null
      : "low_signal";
  const confident = !isBelow(current.confidence, thresholds.min_target_conf);
  return confident && current.polarity === scores.target ? "already_confident" : null;
}

function isPlaceable(aspect: string, text: string): boolean {
  return aspect !== "" && text.includes(aspect);
}

function override(sentiments: readonly Sentiment[], view: View, target: Polarity, { text }: GateInput): Sentiment[] {
  const { current, aspect } = view;
  if (current === null) {
    const evidence = view.evidence.span ?? text;
    return [...sentiments, createSentiment(aspect, target, { evidence, confidence: overrideConfidence })];
  }
  const confidence = Math.max(current.confidence, overrideConfidence);
  const others = new Set<Sentiment>(view.matches.filter((match) => match !== current));
  return sentiments
    .filter((sentiment) => !others.has(sentiment))
    .map((sentiment) =>
      sentiment === current
        ? { ...sentiment, polarity: target, confidence, polarity_distribution: null, evidence: pickEvidence(view) }
        : sentiment,
    );
}

/** A flip rests on the debate's evidence; a sentiment that only gains confidence keeps its own. */
function pickEvidence({ current, scores, evidence }: View): string {
  const own = current?.evidence ?? "";
  return current?.polarity === scores.target ? own : (evidence.span ?? own);
}

/** The L3 risk types among the risks of Stage 1. */
export function listL3Types(risks: readonly StructuralRisk[]): string[] {
  return [...new Set(risks.map((risk) => risk.type).filter((type) => l3RiskTypes.includes(type)))];
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
    thresholds: pickThresholds(input.thresholds),
    decision: skip === null ? "APPLY" : "SKIP",
    skip_reason: skip,
    override_action: skip !== null ? null : current === null ? "debate_override_add" : "debate_override_flip",
    evidence: evidence.span,
    evidence_ok: evidence.ok,
    evidence_reason: evidence.reason,
  };
}

function writeCorrection(view: View, target: Polarity): Correction {
  const { pos_score, neg_score } = view.scores;
  return {
    proposal_type: "DEBATE_OVERRIDE",
    target_aspect: view.aspect,
    rationale: `debate votes: positive ${pos_score}, negative ${neg_score}`,
    applied: true,
    reason: view.current === null ? "debate_override_add" : "debate_override_flip",
    resulting_polarity: target,
    resulting_term: null,
    provenance: null,
  };
}
