import type { Label, Tuple } from "../../schemas/debate.ts";
import type {
  AspectAggregate,
  Moderation,
  moderatorRules,
  SentenceAggregate,
  ValidatorAggregate,
} from "../../schemas/outcome.ts";
import type { Span } from "../../schemas/stage1.ts";
import { isBelow } from "../tuples/is-below.ts";
import { type DebateSummary, inferLabel } from "./infer-label.ts";

type Sentence = Pick<SentenceAggregate, "label" | "confidence">;
type Aspect = Pick<AspectAggregate, "label" | "confidence" | "span"> & Partial<AspectAggregate>;

export type ModeratorInput = {
  stage1_ate: Sentence;
  stage1_atsa: Aspect;
  /** Left out or null when Stage 2 was not adopted. */
  stage2_ate?: Sentence | null;
  stage2_atsa?: Aspect | null;
  validator?: Pick<ValidatorAggregate, "suggested_label" | "issues" | "confidence"> | null;
  /** The judge's summary; without one Rule E has nothing to say. */
  debate_summary?: DebateSummary | null;
  /** What the rules accepted of the judge's tuples. */
  settled_tuples?: readonly Tuple[] | null;
};

type Rule = (typeof moderatorRules)[number];

/** The state that the rules hand on to each other. */
type State = {
  label: Label;
  confidence: number;
  dropGuard: boolean;
  margin: number | null;
  vetoed: boolean;
  rules: Rule[];
  reasons: string[];
};

/** Decides the sentence label by Rules Z, B, M, C, A, D, E in this order (sentiment spec §8). */
export function moderate(input: ModeratorInput): Moderation {
  const { stage1_ate, stage2_ate = null } = input;
  if (stage1_ate.confidence === 0 && (stage2_ate?.confidence ?? 0) === 0) return endWithoutSignal(input);
  const state = applyRuleB(stage1_ate, stage2_ate);
  applyRuleM(state, stage1_ate, stage2_ate);
  applyRuleC(state, input.validator ?? null);
  const candidate = input.stage2_atsa ?? input.stage1_atsa;
  applyRuleA(state, candidate, input.stage1_atsa);
  /** Under the drop guard Stage 1 stands, and so does its most confident aspect. */
  applyRuleD(state, state.dropGuard ? input.stage1_atsa : candidate);
  const blocked = applyRuleE(state, input);
  return {
    ...end(state, input),
    rule_e_fired: state.rules.includes("RuleE"),
    rule_e_block_reason: blocked,
  };
}

function endWithoutSignal(input: ModeratorInput): Moderation {
  const state: State = {
    label: "neutral",
    confidence: 0,
    dropGuard: false,
    margin: null,
    vetoed: false,
    rules: ["RuleZ"],
    reasons: ["RuleZ: insufficient signal (both confidences 0)."],
  };
  return { ...end(state, input), rule_e_fired: false, rule_e_block_reason: null };
}

function applyRuleB(stage1: Sentence, stage2: Sentence | null): State {
  const start = (from: Sentence, reason: string, margin: number | null): State => ({
    label: from.label,
    confidence: from.confidence,
    dropGuard: margin !== null,
    margin,
    vetoed: false,
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
  state.vetoed = true;
}

function applyRuleA(state: State, candidate: Aspect, stage1: Aspect): void {
  if (state.dropGuard || candidate.label !== state.label) return;
  if (isBelow(computeSpanIoU(candidate.span, stage1.span), 0.8)) return;
  fire(state, "RuleA", "RuleA: IoU>=0.8 span aligned.");
  state.confidence = (state.confidence + candidate.confidence) / 2;
}

function applyRuleD(state: State, candidate: Aspect): void {
  if (candidate.target === null || candidate.label === state.label) return;
  const difference = candidate.confidence - state.confidence;
  if (isBelow(Math.abs(difference), 0.1)) {
    fire(state, "RuleD", "RuleD: diff<0.1 conflict -> sentence ATE.");
  } else if (difference > 0) {
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

function fire(state: State, rule: Rule, reason: string): void {
  state.rules.push(rule);
  state.reasons.push(reason);
}

function end(state: State, input: ModeratorInput): Omit<Moderation, "rule_e_fired" | "rule_e_block_reason"> {
  const rationale = state.reasons.join(" ");
  return {
    final_label: state.label,
    confidence: state.confidence,
    rationale,
    decision_reason: rationale,
    selected_stage: input.stage2_ate ? "stage2" : "stage1",
    applied_rules: state.rules,
    arbiter_flags: {
      stage2_rejected_due_to_confidence: state.dropGuard,
      validator_override_applied: state.vetoed,
      confidence_margin_used: state.margin,
    },
  };
}

/** Intersection over union of two spans; a missing span shares nothing. */
export function computeSpanIoU(a: Span | null, b: Span | null): number {
  if (a === null || b === null) return 0;
  const shared = Math.max(0, Math.min(a.end, b.end) - Math.max(a.start, b.start));
  const union = a.end - a.start + (b.end - b.start) - shared;
  return union <= 0 ? 0 : shared / union;
}

/** The label of the sentence: the moderator's, or without one the aggregate of the final list (sentiment spec §1). */
export function labelSentence(moderator: Moderation | null, final: SentenceAggregate): SentenceAggregate {
  if (moderator === null) return { ...final, rationale: `aggregate of the final list: ${final.rationale}` };
  const { final_label: label, confidence, rationale } = moderator;
  return { label, confidence, rationale };
}
