/** The moderator (sentiment spec §8): aggregates of the lists, and the sentence label by Rules Z, B, M, C, A, D, E in this order. */
import type { Label, PatchSummary, StanceSummary, Tuple } from "../schemas/debate.ts";
import type { CaseTurns } from "../schemas/inputs.ts";
import type {
  AspectAggregate,
  FinalOutput,
  Moderation,
  moderatorRules,
  SentenceAggregate,
  ValidatorAggregate,
} from "../schemas/output.ts";
import type { Aspect, Polarity, Sentiment, Span, Stage1, StructuralRisk } from "../schemas/stage1.ts";
import { findMostConfident, flipPolarity, isBelow, keepStated, type Stated } from "./tuples.ts";

/** The aggregates of Stage 1 and, when the result is adopted, of the final list. */
export type Aggregates = Pick<
  FinalOutput,
  "stage1_ate" | "stage1_atsa" | "stage1_validator" | "stage2_ate" | "stage2_atsa" | "stage2_validator"
>;

/** Aggregates a case; `adopted` is the list that was adopted with its aspects, or null when Stage 1 stands. */
export function aggregateCase(
  { stage1, stage2 }: Pick<CaseTurns, "stage1" | "stage2">,
  adopted: { sentiments: readonly Sentiment[]; aspects: readonly Aspect[] } | null,
): Aggregates {
  const stage1_atsa = aggregateAspect(stage1.aspect_sentiments, stage1.aspects);
  const validation = stage2?.validator ?? null;
  return {
    stage1_ate: aggregateSentence(stage1.aspect_sentiments),
    stage1_atsa,
    stage1_validator: aggregateValidator(stage1.validator, stage1_atsa),
    stage2_ate: adopted && aggregateSentence(adopted.sentiments),
    stage2_atsa: adopted && aggregateAspect(adopted.sentiments, [...adopted.aspects, ...stage1.aspects]),
    stage2_validator: validation && {
      suggested_label: null,
      issues: listIssues(validation.structural_risks),
      confidence: validation.final_validation.final_consistency_score,
      structural_risk_count: validation.structural_risks.length,
    },
  };
}

/** The sentence-level aggregate of a list, called ATE. */
export function aggregateSentence(sentiments: readonly Sentiment[]): SentenceAggregate {
  const all = keepStated(sentiments);
  if (all.length === 0) return { label: "neutral", confidence: 0, rationale: "no stated sentiment" };
  const sum = (polarity: Polarity) =>
    all.filter((one) => one.polarity === polarity).reduce((total, one) => total + one.confidence, 0);
  const [positive, negative] = [sum("positive"), sum("negative")];
  const both = positive > 0 && negative > 0;
  if (both && Math.min(positive, negative) >= Math.max(positive, negative) / 2) {
    const confidence = Math.max(...all.map((sentiment) => sentiment.confidence));
    const sums = `positive ${positive.toFixed(2)}, negative ${negative.toFixed(2)}`;
    return { label: "mixed", confidence, rationale: `${sums}: mixed, because the smaller is at least half the larger` };
  }
  const label = (["positive", "negative", "neutral"] as const).reduce((a, b) => (sum(b) > sum(a) ? b : a));
  const winner = sum(label) > 0 ? label : (all[0]?.polarity ?? "neutral");
  const own = all.filter((sentiment) => sentiment.polarity === winner);
  const confidence = own.reduce((total, one) => total + one.confidence, 0) / own.length;
  return { label: winner, confidence, rationale: quoteEvidence(own[0]) };
}

/** The single most confident sentiment, called ATSA; the first one on ties. */
export function aggregateAspect(sentiments: readonly Sentiment[], aspects: readonly Aspect[]): AspectAggregate {
  const best = findMostConfident(keepStated(sentiments));
  if (!best) return { target: null, label: "neutral", confidence: 0, span: null, rationale: "no stated sentiment" };
  const place = aspects.find((aspect) => aspect.term === best.aspect_ref);
  return {
    target: best.aspect_ref,
    label: best.polarity,
    confidence: best.confidence,
    span: best.opinion_term?.span ?? place?.span ?? null,
    rationale: quoteEvidence(best),
  };
}

/** The Validator's aggregate: the label that its flip of the ATSA aggregate's aspect implies, and its issues. */
export function aggregateValidator(validator: Stage1["validator"], atsa: AspectAggregate): ValidatorAggregate {
  if (validator === null) return { suggested_label: null, issues: [], confidence: 0, structural_risk_count: 0 };
  const flips = validator.correction_proposals.some(
    (proposal) => proposal.proposal_type === "FLIP_POLARITY" && proposal.target_aspect === atsa.target,
  );
  return {
    suggested_label: flips ? flipPolarity(atsa.label) : null,
    issues: listIssues(validator.structural_risks),
    confidence: validator.consistency_score,
    structural_risk_count: validator.structural_risks.length,
  };
}

/** Risks as the moderator reads them: `<type>: <description> severity:<s>`, lower case. */
function listIssues(risks: readonly StructuralRisk[]): string[] {
  return risks.map((risk) => `${risk.type}: ${risk.description} severity:${risk.severity}`.toLowerCase());
}

function quoteEvidence(sentiment: Stated | undefined): string {
  return sentiment ? sentiment.evidence || sentiment.aspect_ref : "";
}

const keywords: [Exclude<Label, "mixed">, string][] = [
  ["positive", "긍정|호의|좋다|positive"],
  ["negative", "부정|비판|나쁘|negative"],
  ["neutral", "중립|neutral|모호"],
];
const mixedKeywords = /혼합|mixed|엇갈|양면/;
const denied = {
  before: /\b(?:no|not|n't|nobody|nothing|none|never|neither|nor|without|hardly|far from)\b[^.;,]*$/,
  after: /^[^.;,]{0,12}?(?:없|아니|않)/,
};

/** The label that a text names; both sides named is mixed, and a side that is denied is not named. */
export function readLabel(text: string): Label | null {
  const lower = text.toLowerCase();
  const isNamed = (words: string) =>
    [...lower.matchAll(new RegExp(words, "g"))].some(
      ({ 0: word, index }) =>
        !denied.before.test(lower.slice(Math.max(0, index - 40), index)) &&
        !denied.after.test(lower.slice(index + word.length)),
    );
  const named = keywords.filter(([, words]) => isNamed(words)).map(([label]) => label);
  if (mixedKeywords.test(lower) || (named.includes("positive") && named.includes("negative"))) return "mixed";
  return named[0] ?? null;
}

/** A judge's summary of either style, or what there is of one. */
export type DebateSummary = Partial<PatchSummary> & Partial<Omit<StanceSummary, "rationale">>;

/**
 * What the debate says of the sentence (Rule E); null when it says nothing. The judge's word on the whole text counts only as
 * far as the settled tuples bear it: what settling refused is not said again here.
 */
export function inferLabel(summary: DebateSummary | null, settled: readonly Tuple[] | null): Label | null {
  if (summary === null) return null;
  const found = new Set((settled ?? summary.final_tuples ?? []).map((tuple) => tuple.polarity));
  const said = summary.sentence_polarity ?? null;
  if (said !== null && (settled === null || bears(found, said))) return said;
  if (found.size > 0) return found.size > 1 ? "mixed" : ([...found][0] ?? null);
  return (
    readLabel(summary.consensus ?? "") ??
    readLabel(summary.rationale ?? "") ??
    readLabel((summary.key_agreements ?? []).join("\n")) ??
    readLabel((summary.key_disagreements ?? []).join("\n"))
  );
}

/** True when tuples of these polarities carry a label. */
function bears(found: ReadonlySet<Polarity>, label: Label): boolean {
  if (label === "mixed") return found.has("positive") && found.has("negative");
  return label === "neutral" ? !found.has("positive") && !found.has("negative") : found.has(label);
}

type Sentence = Pick<SentenceAggregate, "label" | "confidence">;
type OneAspect = Pick<AspectAggregate, "label" | "confidence" | "span"> & Partial<AspectAggregate>;

export type ModeratorInput = {
  stage1_ate: Sentence;
  stage1_atsa: OneAspect;
  /** Left out or null when Stage 2 was not adopted. */
  stage2_ate?: Sentence | null;
  stage2_atsa?: OneAspect | null;
  /** Left out where the flip that it asks for was refused. */
  validator?: Pick<ValidatorAggregate, "suggested_label" | "issues" | "confidence"> | null;
  /** The judge's summary; without one Rule E has nothing to say. */
  debate_summary?: DebateSummary | null;
  /** What the rules accepted of the judge's tuples. */
  settled_tuples?: readonly Tuple[] | null;
  /** The tuples that are shown; the label says no more than they do. */
  final_tuples?: readonly Tuple[] | null;
};

type Rule = (typeof moderatorRules)[number];

/** The state that the rules hand on to each other. */
type State = {
  label: Label;
  confidence: number;
  dropGuard: boolean;
  margin: number | null;
  rules: Rule[];
  reasons: string[];
};

export function moderate(input: ModeratorInput): Moderation {
  const { stage1_ate, stage2_ate = null } = input;
  if (stage1_ate.confidence === 0 && (stage2_ate?.confidence ?? 0) === 0) {
    const reasons = ["RuleZ: insufficient signal (both confidences 0)."];
    return end(
      { label: "neutral", confidence: 0, dropGuard: false, margin: null, rules: ["RuleZ"], reasons },
      input,
      null,
    );
  }
  const state = applyRuleB(stage1_ate, stage2_ate);
  applyRuleM(state, stage1_ate, stage2_ate);
  applyRuleC(state, input.validator ?? null);
  const candidate = input.stage2_atsa ?? input.stage1_atsa;
  applyRuleA(state, candidate, input.stage1_atsa);
  /** Under the drop guard Stage 1 stands, and so does its most confident aspect. */
  applyRuleD(state, state.dropGuard ? input.stage1_atsa : candidate);
  const blocked = applyRuleE(state, input);
  bindToTuples(state, input);
  return end(state, input, blocked);
}

function applyRuleB(stage1: Sentence, stage2: Sentence | null): State {
  const start = ({ label, confidence }: Sentence, reason: string, margin: number | null): State => ({
    label,
    confidence,
    dropGuard: margin !== null,
    margin,
    rules: ["RuleB"],
    reasons: [reason],
  });
  if (stage2 === null) return start(stage1, "RuleB: no Stage2; keep Stage1.", null);
  const drop = stage1.confidence - stage2.confidence;
  if (!isBelow(drop, 0.2)) return start(stage1, "RuleB: Stage2 drop>=0.2; keep Stage1.", drop);
  return start(stage2, "RuleB: Stage2 preferred.", null);
}

function applyRuleM(state: State, stage1: Sentence, stage2: Sentence | null): void {
  if (stage2 === null || stage1.label === stage2.label) return;
  fire(state, "RuleM", "RuleM: conflicting stage1/stage2 labels -> mixed.");
  state.label = "mixed";
  state.confidence = Math.max(stage1.confidence, stage2.confidence);
}

function applyRuleC(state: State, validator: ModeratorInput["validator"]): void {
  if (!validator?.suggested_label) return;
  const critical = validator.issues.some((issue) => /^(negation|irony|contrast)|severity:high/i.test(issue));
  if (!critical && isBelow(validator.confidence, state.confidence)) return;
  fire(state, "RuleC", "RuleC: Validator critical veto.");
  state.label = validator.suggested_label;
  state.confidence = Math.max(state.confidence, validator.confidence);
}

function applyRuleA(state: State, candidate: OneAspect, stage1: OneAspect): void {
  if (state.dropGuard || candidate.label !== state.label) return;
  if (isBelow(computeSpanIoU(candidate.span, stage1.span), 0.8)) return;
  fire(state, "RuleA", "RuleA: IoU>=0.8 span aligned.");
  state.confidence = (state.confidence + candidate.confidence) / 2;
}

function applyRuleD(state: State, candidate: OneAspect): void {
  if (candidate.target === null || candidate.label === state.label) return;
  const difference = candidate.confidence - state.confidence;
  if (isBelow(Math.abs(difference), 0.1)) fire(state, "RuleD", "RuleD: diff<0.1 conflict -> sentence ATE.");
  else if (difference > 0) {
    fire(state, "RuleD", "RuleD: diff>=0.1 ATSA wins.");
    state.label = candidate.label;
    state.confidence = candidate.confidence;
  } else fire(state, "RuleD", "RuleD: diff>=0.1 ATE wins.");
}

/** Returns why the rule did not act, or null. */
function applyRuleE(state: State, input: ModeratorInput): Moderation["rule_e_block_reason"] {
  if (!input.debate_summary) return null;
  const inferred = inferLabel(input.debate_summary, input.settled_tuples ?? null);
  if (inferred === null) return "inferred_empty";
  if (inferred === state.label) return "label_unchanged";
  if (state.confidence >= 0.55 && state.label !== "mixed") return "confidence_too_high";
  fire(state, "RuleE", `RuleE: debate consensus -> ${inferred}.`);
  state.label = inferred;
  return null;
}

/** A label that no tuple bears gives way to what the tuples say; that stages differ is what `mixed` may say beyond them. */
function bindToTuples(state: State, { final_tuples, stage1_ate, stage2_ate }: ModeratorInput): void {
  if (!final_tuples || final_tuples.length === 0) return;
  const found = new Set(final_tuples.map((tuple) => tuple.polarity));
  if (bears(found, state.label) || state.label === "neutral") return;
  if (state.label === "mixed" && (found.size > 1 || state.rules.includes("RuleM"))) return;
  const sentence = [stage2_ate, stage1_ate].find((one) => one && bears(found, one.label));
  const label =
    sentence?.label ?? (found.has("positive") ? "positive" : found.has("negative") ? "negative" : "neutral");
  fire(state, "Bound", `Bound: no tuple is ${state.label} -> ${label}.`);
  state.label = label;
  state.confidence = Math.min(state.confidence, sentence?.confidence ?? state.confidence);
}

function fire(state: State, rule: Rule, reason: string): void {
  state.rules.push(rule);
  state.reasons.push(reason);
}

function end(state: State, { stage2_ate }: ModeratorInput, blocked: Moderation["rule_e_block_reason"]): Moderation {
  const rationale = state.reasons.join(" ");
  return {
    final_label: state.label,
    confidence: state.confidence,
    rationale,
    decision_reason: rationale,
    selected_stage: stage2_ate && !state.dropGuard ? "stage2" : "stage1",
    applied_rules: state.rules,
    arbiter_flags: {
      stage2_rejected_due_to_confidence: state.dropGuard,
      validator_override_applied: state.rules.includes("RuleC"),
      confidence_margin_used: state.margin,
    },
    rule_e_fired: state.rules.includes("RuleE"),
    rule_e_block_reason: blocked,
  };
}

/** Intersection over union of two spans; a missing span shares nothing. */
export function computeSpanIoU(a: Span | null, b: Span | null): number {
  if (a === null || b === null) return 0;
  const shared = Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
  const union = a.end - a.start + (b.end - b.start) - shared;
  return union <= 0 ? 0 : shared / union;
}
