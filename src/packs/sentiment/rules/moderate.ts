/** The moderator (sentiment spec §8): aggregates of the lists, and the sentence label by Rules Z, B, M, C, A, D, E in this order. */
import type { Label, PatchSummary, StanceSummary, Tuple } from "../schemas/debate.ts";
import type { CaseTurns } from "../schemas/inputs.ts";
import type { AspectAggregate, FinalOutput, Moderation, SentenceAggregate } from "../schemas/output.ts";
import {
  type Aspect,
  type Polarity,
  polarities,
  type Sentiment,
  type Span,
  type StructuralRisk,
} from "../schemas/stage1.ts";
import { findMostConfident, flipPolarity, isBelow, keepStated, type Stated } from "./tuples.ts";

type Aggregates = Pick<
  FinalOutput,
  "stage1_ate" | "stage1_atsa" | "stage1_validator" | "stage2_ate" | "stage2_atsa" | "stage2_validator"
>;

/** Aggregates a case; `adopted` is the adopted list with its aspects, or null when Stage 1 stands. */
export function aggregateCase(
  { stage1, stage2 }: Pick<CaseTurns, "stage1" | "stage2">,
  adopted: { sentiments: readonly Sentiment[]; aspects: readonly Aspect[] } | null,
): Aggregates {
  const stage1_atsa = aggregateAspect(stage1.aspect_sentiments, stage1.aspects);
  const flips = stage1.validator?.correction_proposals.some(
    (proposal) => proposal.proposal_type === "FLIP_POLARITY" && proposal.target_aspect === stage1_atsa.target,
  );
  const risks = stage1.validator?.structural_risks ?? [];
  const again = stage2?.validator ?? null;
  return {
    stage1_ate: aggregateSentence(stage1.aspect_sentiments),
    stage1_atsa,
    stage1_validator: {
      suggested_label: flips ? flipPolarity(stage1_atsa.label) : null,
      confidence: stage1.validator?.consistency_score ?? 0,
      ...listIssues(risks),
    },
    stage2_ate: adopted && aggregateSentence(adopted.sentiments),
    stage2_atsa: adopted && aggregateAspect(adopted.sentiments, [...adopted.aspects, ...stage1.aspects]),
    stage2_validator: again && {
      suggested_label: null,
      confidence: again.final_validation.final_consistency_score,
      ...listIssues(again.structural_risks),
    },
  };
}

function aggregateSentence(sentiments: readonly Sentiment[]): SentenceAggregate {
  const all = keepStated(sentiments);
  if (all.length === 0) return { label: "neutral", confidence: 0, rationale: "no stated sentiment" };
  const sum = (polarity: Polarity) =>
    all.filter((one) => one.polarity === polarity).reduce((total, one) => total + one.confidence, 0);
  const [positive, negative] = [sum("positive"), sum("negative")];
  if (positive > 0 && negative > 0 && Math.min(positive, negative) >= Math.max(positive, negative) / 2) {
    const confidence = Math.max(...all.map((sentiment) => sentiment.confidence));
    const sums = `positive ${positive.toFixed(2)}, negative ${negative.toFixed(2)}`;
    return { label: "mixed", confidence, rationale: `${sums}: mixed, because the smaller is at least half the larger` };
  }
  const largest = polarities.reduce((a, b) => (sum(b) > sum(a) ? b : a));
  const label = sum(largest) > 0 ? largest : (all[0]?.polarity ?? "neutral");
  const own = all.filter((sentiment) => sentiment.polarity === label);
  return { label, confidence: sum(label) / own.length, rationale: quoteEvidence(own[0]) };
}

/** The most confident sentiment, called ATSA; the first in a tie. */
function aggregateAspect(sentiments: readonly Sentiment[], aspects: readonly Aspect[]): AspectAggregate {
  const best = findMostConfident(keepStated(sentiments));
  if (!best) return { target: null, label: "neutral", confidence: 0, span: null, rationale: "no stated sentiment" };
  const place = aspects.find((aspect) => aspect.term === best.aspect_ref);
  const span = best.opinion_term?.span ?? place?.span ?? null;
  const { aspect_ref: target, polarity: label, confidence } = best;
  return { target, label, confidence, span, rationale: quoteEvidence(best) };
}

/** Risks as the moderator reads them: `<type>: <description> severity:<s>`, lower case. */
function listIssues(risks: readonly StructuralRisk[]) {
  const issues = risks.map(({ type, description, severity }) => `${type}: ${description} severity:${severity}`);
  return { issues: issues.map((issue) => issue.toLowerCase()), structural_risk_count: risks.length };
}

function quoteEvidence(sentiment: Stated | undefined): string {
  return sentiment ? sentiment.evidence || sentiment.aspect_ref : "";
}

const keywords: [Label, RegExp][] = [
  ["mixed", /혼합|mixed|엇갈|양면/],
  ["positive", /긍정|호의|좋다|positive/],
  ["negative", /부정|비판|나쁘|negative/],
  ["neutral", /중립|neutral|모호/],
];

/** The label a text names; both sides make "mixed". */
export function readLabel(text: string | null | undefined): Label | null {
  const lower = text?.toLowerCase() ?? "";
  const named = keywords.filter(([, words]) => words.test(lower)).map(([label]) => label);
  return named.includes("positive") && named.includes("negative") ? "mixed" : (named[0] ?? null);
}

type DebateSummary = Partial<PatchSummary> & Partial<Omit<StanceSummary, "rationale">>;

/** What the debate may mean as the label of the text (Rule E), first choice first: the judge's label, then keywords. */
function listLabels(summary: DebateSummary): (Label | null)[] {
  const { sentence_polarity = null, consensus, rationale, key_agreements = [], key_disagreements = [] } = summary;
  const texts = [consensus, rationale, key_agreements.join("\n"), key_disagreements.join("\n")];
  return [sentence_polarity, ...texts.map(readLabel)];
}

function bears(found: ReadonlySet<Polarity>, label: Label): boolean {
  if (label === "mixed") return found.has("positive") && found.has("negative");
  return label === "neutral" ? !found.has("positive") && !found.has("negative") : found.has(label);
}

type ModeratorInput = Pick<Aggregates, "stage1_ate" | "stage1_atsa" | "stage2_ate" | "stage2_atsa"> & {
  /** Null when the flip it asks for was refused. */
  validator: FinalOutput["stage1_validator"] | null;
  debate_summary: DebateSummary | null;
  final_tuples: readonly Tuple[];
};

type State = {
  label: Label;
  confidence: number;
  drop: number | null;
  rules: Moderation["applied_rules"];
  reasons: string[];
};

export function moderate(input: ModeratorInput): Moderation {
  const { stage1_ate, stage1_atsa, stage2_ate } = input;
  const state: State = { label: "neutral", confidence: 0, drop: null, rules: [], reasons: [] };
  if (stage1_ate.confidence === 0 && (stage2_ate?.confidence ?? 0) === 0)
    fire(state, "RuleZ", "insufficient signal (both confidences 0).");
  else {
    applyRuleB(state, input);
    applyRuleM(state, input);
    applyRuleC(state, input);
    const candidate = state.drop === null ? (input.stage2_atsa ?? stage1_atsa) : stage1_atsa;
    applyRuleA(state, candidate, input);
    applyRuleD(state, candidate);
    applyRuleE(state, input);
    bindToTuples(state, input);
  }
  return {
    final_label: state.label,
    confidence: state.confidence,
    rationale: state.reasons.join(" "),
    selected_stage: stage2_ate && state.rules[0] === "RuleB" && state.drop === null ? "stage2" : "stage1",
    applied_rules: state.rules,
    arbiter_flags: {
      stage2_rejected_due_to_confidence: state.drop !== null,
      validator_override_applied: state.rules.includes("RuleC"),
      confidence_margin_used: state.drop,
    },
  };
}

function fire(state: State, rule: State["rules"][number], reason: string, to: Partial<State> = {}): void {
  Object.assign(state, to);
  state.rules.push(rule);
  state.reasons.push(`${rule}: ${reason}`);
}

function applyRuleB(state: State, { stage1_ate, stage2_ate }: ModeratorInput): void {
  const keep = ({ label, confidence }: SentenceAggregate) => ({ label, confidence });
  const drop = stage1_ate.confidence - (stage2_ate?.confidence ?? 0);
  if (stage2_ate === null) fire(state, "RuleB", "no Stage2; keep Stage1.", keep(stage1_ate));
  else if (isBelow(drop, 0.2)) fire(state, "RuleB", "Stage2 preferred.", keep(stage2_ate));
  else fire(state, "RuleB", "Stage2 drop>=0.2; keep Stage1.", { ...keep(stage1_ate), drop });
}

function applyRuleM(state: State, { stage1_ate, stage2_ate }: ModeratorInput): void {
  if (stage2_ate === null || stage1_ate.label === stage2_ate.label) return;
  const confidence = Math.max(stage1_ate.confidence, stage2_ate.confidence);
  fire(state, "RuleM", "conflicting stage1/stage2 labels -> mixed.", { label: "mixed", confidence });
}

function applyRuleC(state: State, { validator }: ModeratorInput): void {
  if (!validator?.suggested_label) return;
  const critical = validator.issues.some((issue) => /^(negation|irony|contrast)|severity:high/i.test(issue));
  if (!critical && isBelow(validator.confidence, state.confidence)) return;
  const confidence = Math.max(state.confidence, validator.confidence);
  fire(state, "RuleC", "Validator critical veto.", { label: validator.suggested_label, confidence });
}

function applyRuleA(state: State, candidate: AspectAggregate, { stage1_atsa }: ModeratorInput): void {
  if (state.drop !== null || candidate.label !== state.label) return;
  if (isBelow(computeSpanIoU(candidate.span, stage1_atsa.span), 0.8)) return;
  fire(state, "RuleA", "IoU>=0.8 span aligned.", { confidence: (state.confidence + candidate.confidence) / 2 });
}

function applyRuleD(state: State, { target, label, confidence }: AspectAggregate): void {
  if (target === null || label === state.label) return;
  const difference = confidence - state.confidence;
  if (isBelow(Math.abs(difference), 0.1)) fire(state, "RuleD", "diff<0.1 conflict -> sentence ATE.");
  else if (difference > 0) fire(state, "RuleD", "diff>=0.1 ATSA wins.", { label, confidence });
  else fire(state, "RuleD", "diff>=0.1 ATE wins.");
}

/** The debate's label counts only where final tuples of one side bear it, so a consensus cannot name a side that it denies. */
function applyRuleE(state: State, { debate_summary, final_tuples }: ModeratorInput): void {
  const found = new Set(final_tuples.map((tuple) => tuple.polarity));
  if (debate_summary === null || bears(found, "mixed")) return;
  const label = listLabels(debate_summary).find((one) => one !== null && bears(found, one));
  if (!label || label === state.label || (state.confidence >= 0.55 && state.label !== "mixed")) return;
  fire(state, "RuleE", `debate consensus -> ${label}.`, { label });
}

function bindToTuples(state: State, { final_tuples, stage1_ate, stage2_ate }: ModeratorInput): void {
  const found = new Set(final_tuples.map((tuple) => tuple.polarity));
  if (bears(found, state.label) || (state.label === "neutral" && found.has("neutral"))) return;
  const sentence = [stage2_ate, stage1_ate].find((one) => one && bears(found, one.label));
  const label = sentence?.label ?? polarities.find((polarity) => found.has(polarity)) ?? "neutral";
  const confidence = Math.min(state.confidence, sentence?.confidence ?? state.confidence);
  fire(state, "Bound", `no tuple is ${state.label} -> ${label}.`, { label, confidence });
}

function computeSpanIoU(a: Span | null, b: Span | null): number {
  if (a === null || b === null) return 0;
  const shared = Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
  const union = a.end - a.start + (b.end - b.start) - shared;
  return union <= 0 ? 0 : shared / union;
}
