import { opposite } from "../canonical-polarity.ts";
import type { AspectAggregate, SentenceAggregate, ValidatorAggregate } from "../schemas/outcome.ts";
import type { Aspect, Polarity, Sentiment, Stage1, StructuralRisk } from "../schemas/stage1.ts";
import { type Stated, stated } from "../stage1/missing.ts";

/** The sentence-level aggregate of a list, called ATE (spec section 8). */
export function sentenceAggregate(sentiments: readonly Sentiment[]): SentenceAggregate {
  const all = stated(sentiments);
  if (all.length === 0) return { label: "neutral", confidence: 0, rationale: "no stated sentiment" };
  const sum = (polarity: Polarity) => confidenceSum(all, polarity);
  const [positive, negative] = [sum("positive"), sum("negative")];
  const both = positive > 0 && negative > 0;
  if (both && Math.min(positive, negative) >= Math.max(positive, negative) / 2) {
    const confidence = Math.max(...all.map((sentiment) => sentiment.confidence));
    return { label: "mixed", confidence, rationale: `positive ${show(positive)}, negative ${show(negative)}` };
  }
  const label = (["positive", "negative", "neutral"] as const).reduce((a, b) => (sum(b) > sum(a) ? b : a));
  const winner = sum(label) > 0 ? label : (all[0]?.polarity ?? "neutral");
  const own = all.filter((sentiment) => sentiment.polarity === winner);
  return { label: winner, confidence: confidenceSum(own, winner) / own.length, rationale: evidenceOf(own[0]) };
}

/** The single most confident sentiment, called ATSA; the first one on ties (spec section 8). */
export function aspectAggregate(sentiments: readonly Sentiment[], aspects: readonly Aspect[]): AspectAggregate {
  const [best] = stated(sentiments).toSorted((a, b) => b.confidence - a.confidence);
  if (!best) return { target: null, label: "neutral", confidence: 0, span: null, rationale: "no stated sentiment" };
  const place = aspects.find((aspect) => aspect.term === best.aspect_ref);
  return {
    target: best.aspect_ref,
    label: best.polarity,
    confidence: best.confidence,
    span: best.opinion_term?.span ?? place?.span ?? null,
    rationale: evidenceOf(best),
  };
}

/** The Validator's aggregate: the label that its flip of the ATSA aggregate's aspect implies, and its issues (spec section 8). */
export function validatorAggregate(validator: Stage1["validator"], atsa: AspectAggregate): ValidatorAggregate {
  if (validator === null) return { suggested_label: null, issues: [], confidence: 0, structural_risk_count: 0 };
  const flips = validator.correction_proposals.some(
    (proposal) => proposal.proposal_type === "FLIP_POLARITY" && proposal.target_aspect === atsa.target,
  );
  return {
    suggested_label: flips ? opposite(atsa.label) : null,
    issues: issuesOf(validator.structural_risks),
    confidence: validator.consistency_score,
    structural_risk_count: validator.structural_risks.length,
  };
}

/** Risks as the moderator reads them: `<type>: <description> severity:<s>`, lower case. */
export function issuesOf(risks: readonly StructuralRisk[]): string[] {
  return risks.map((risk) => `${risk.type}: ${risk.description} severity:${risk.severity}`.toLowerCase());
}

function confidenceSum(list: readonly Stated[], polarity: Polarity): number {
  return list.filter((one) => one.polarity === polarity).reduce((total, one) => total + one.confidence, 0);
}

function evidenceOf(sentiment: Stated | undefined): string {
  return sentiment ? sentiment.evidence || sentiment.aspect_ref : "";
}

function show(value: number): string {
  return value.toFixed(2);
}
