import type { CaseTurns } from "../../schemas/case-turns.ts";
import type { FinalOutput } from "../../schemas/final-output.ts";
import type { AspectAggregate, SentenceAggregate, ValidatorAggregate } from "../../schemas/outcome.ts";
import type { Aspect, Polarity, Sentiment, Stage1, StructuralRisk } from "../../schemas/stage1.ts";
import { flipPolarity } from "../tuples/canonical-polarity.ts";
import { findMostConfident, keepStated, type Stated } from "../tuples/stated.ts";

/** The aggregates of Stage 1 and, when the result is adopted, of the final list (sentiment spec §8). */
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

/** The sentence-level aggregate of a list, called ATE (sentiment spec §8). */
export function aggregateSentence(sentiments: readonly Sentiment[]): SentenceAggregate {
  const all = keepStated(sentiments);
  if (all.length === 0) return { label: "neutral", confidence: 0, rationale: "no stated sentiment" };
  const sum = (polarity: Polarity) => sumConfidence(all, polarity);
  const [positive, negative] = [sum("positive"), sum("negative")];
  const both = positive > 0 && negative > 0;
  if (both && Math.min(positive, negative) >= Math.max(positive, negative) / 2) {
    const confidence = Math.max(...all.map((sentiment) => sentiment.confidence));
    return { label: "mixed", confidence, rationale: `positive ${show(positive)}, negative ${show(negative)}` };
  }
  const label = (["positive", "negative", "neutral"] as const).reduce((a, b) => (sum(b) > sum(a) ? b : a));
  const winner = sum(label) > 0 ? label : (all[0]?.polarity ?? "neutral");
  const own = all.filter((sentiment) => sentiment.polarity === winner);
  return { label: winner, confidence: sumConfidence(own, winner) / own.length, rationale: quoteEvidence(own[0]) };
}

/** The single most confident sentiment, called ATSA; the first one on ties (sentiment spec §8). */
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

/** The Validator's aggregate: the label that its flip of the ATSA aggregate's aspect implies, and its issues (sentiment spec §8). */
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
export function listIssues(risks: readonly StructuralRisk[]): string[] {
  return risks.map((risk) => `${risk.type}: ${risk.description} severity:${risk.severity}`.toLowerCase());
}

function sumConfidence(list: readonly Stated[], polarity: Polarity): number {
  return list.filter((one) => one.polarity === polarity).reduce((total, one) => total + one.confidence, 0);
}

function quoteEvidence(sentiment: Stated | undefined): string {
  return sentiment ? sentiment.evidence || sentiment.aspect_ref : "";
}

function show(value: number): string {
  return value.toFixed(2);
}
