import type { ValidatorInput } from "../../schemas/role-inputs.ts";
import type { CorrectionProposal, Sentiment, StructuralRisk, ValidatorReply } from "../../schemas/stage1.ts";
import { type AspectView, viewAspects } from "../../../../knowledge/opinions/index.ts";
import { findRisks } from "./find-risks.ts";

/** Validator as a program: where the structure of the text makes Stage 1 doubtful, and what to correct (sentiment spec §2). */
export function validate(input: ValidatorInput): ValidatorReply {
  const views = viewAspects(input.text, input.language_code, input.aspects);
  const risks = findRisks(input, views);
  const proposals = views.flatMap((view) => proposeFlip(view, input.aspect_sentiments));
  return { structural_risks: risks, consistency_score: scoreConsistency(risks), correction_proposals: proposals };
}

/** A stated polarity that both readings contradict is to be flipped. */
function proposeFlip(view: AspectView, sentiments: readonly Sentiment[]): CorrectionProposal[] {
  const stated = sentiments.find((sentiment) => sentiment.aspect_ref === view.term && sentiment.polarity !== null);
  const opposite = stated?.polarity === "positive" ? "negative" : stated?.polarity === "negative" ? "positive" : null;
  if (opposite === null || view.near.polarity !== opposite || view.scoped.polarity !== opposite) return [];
  const words = view.scoped.opinions.map((opinion) => `"${opinion.term}"`).join(", ");
  const rationale = `${words} reads ${opposite} for "${view.term}", not ${stated?.polarity}`;
  return [{ target_aspect: view.term, proposal_type: "FLIP_POLARITY", revised_span: null, rationale }];
}

const costs: Record<string, number> = { low: 0.05, medium: 0.12, high: 0.25 };

function scoreConsistency(risks: readonly StructuralRisk[]): number {
  const cost = risks.reduce((sum, risk) => sum + (costs[risk.severity] ?? 0.1), 0);
  return Math.round(Math.max(0, 1 - cost) * 1000) / 1000;
}
