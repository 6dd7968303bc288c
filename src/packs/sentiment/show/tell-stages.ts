import type { Point } from "../../../contract/story.ts";
import type { AspectReview, SentimentReview, ValidatorReviewReply } from "../schemas/stage2.ts";
import type { Aspect, AtsaReply, ValidatorReply } from "../schemas/stage1.ts";
import type { Said, Teller } from "./teller.ts";

/** How an aspect is shown that the text does not name. */
export function nameAspect(aspect: string): string {
  return aspect === "" ? "(implicit)" : aspect;
}

/** The point of Stage 1 that speaks of an aspect. */
export function nameSentiment(aspect: string): string {
  return `stage1/${aspect}`;
}

export function tellAspects(reply: object, _teller: Teller, turn: string): Said {
  const { aspects } = reply as { aspects: Aspect[] };
  const points = aspects.map(
    (aspect, at): Point => ({
      id: `${turn}/${at}`,
      name: nameAspect(aspect.term),
      text: aspect.rationale,
      ...(aspect.normalized && aspect.normalized !== aspect.term && { tags: [aspect.normalized] }),
      score: { label: "sure", value: aspect.confidence, most: 1 },
      uses: aspect.term === "" ? [] : [aspect.term],
    }),
  );
  return { says: points.length === 0 ? "No aspect was found." : "", points };
}

export function tellSentiments(reply: object, { decision }: Teller): Said {
  const { aspect_sentiments } = reply as AtsaReply;
  const final = decision?.final_result.final_aspects;
  const points = aspect_sentiments.map((one): Point => {
    const kept = final?.find(({ aspect_ref }) => aspect_ref === one.aspect_ref);
    const standing = !final ? undefined : !kept ? "dropped" : kept.polarity === one.polarity ? "stands" : "conceded";
    const status = { stands: "kept", dropped: "dropped", conceded: `now ${kept?.polarity}` };
    return {
      id: nameSentiment(one.aspect_ref),
      name: nameAspect(one.aspect_ref),
      text: `${one.polarity ?? "no polarity"}${one.is_implicit ? " (implied)" : ""}`,
      score: { label: "sure", value: one.confidence, most: 1 },
      ...(standing && { standing, status: status[standing] }),
      uses: [one.opinion_term?.term ?? one.evidence].filter(Boolean),
    };
  });
  return { says: points.length === 0 ? "No sentiment was found." : "", points };
}

export function tellValidation(reply: object, _teller: Teller, turn: string): Said {
  const { structural_risks, correction_proposals, consistency_score } = reply as ValidatorReply;
  const risks = structural_risks.map(
    (risk, at): Point => ({
      id: `${turn}/risk-${at}`,
      name: risk.type.toLowerCase().replaceAll("_", " "),
      text: risk.description,
      tags: [risk.severity],
    }),
  );
  const proposals = correction_proposals.map(
    (one, at): Point => ({
      id: `${turn}/proposal-${at}`,
      name: `${one.proposal_type.toLowerCase().replaceAll("_", " ")}: ${nameAspect(one.target_aspect)}`,
      text: one.rationale,
      answers: [nameSentiment(one.target_aspect)],
    }),
  );
  const says = risks.length === 0 ? `No risk was found; consistency ${consistency_score.toFixed(2)}.` : "";
  return { says, points: [...risks, ...proposals] };
}

/** Reviews after the debate: of the aspects, the sentiments, or the risks that remain. */
export function tellReviews(reply: object, teller: Teller, turn: string): Said {
  const said = reply as {
    aspect_review?: AspectReview[];
    sentiment_review?: SentimentReview[];
  } & Partial<ValidatorReviewReply>;
  const aspects = (said.aspect_review ?? []).map(
    (one, at): Point => ({
      id: `${turn}/${at}`,
      name: `${nameAspect(one.term)}: ${one.action.replaceAll("_", " ")}`,
      text: one.reason,
      answers: [nameSentiment(one.term)],
    }),
  );
  const sentiments = (said.sentiment_review ?? []).map((one, at): Point => {
    const before = teller.stage1.get(one.aspect_ref);
    const after = one.revised_polarity ?? (one.action === "drop" ? "dropped" : null);
    return {
      id: `${turn}/${at}`,
      name: `${nameAspect(one.aspect_ref)}: ${one.action.replaceAll("_", " ")}`,
      text: one.reason,
      ...(after !== null && after !== before && { change: { before: before ?? "none", after } }),
      answers: [nameSentiment(one.aspect_ref)],
    };
  });
  const remaining = said.final_validation?.remaining_risks ?? [];
  const says = said.final_validation
    ? `${remaining.length === 0 ? "No risk remains" : `Remaining: ${remaining.join("; ")}`}; consistency ${said.final_validation.final_consistency_score.toFixed(2)}.`
    : "";
  return { says, points: [...aspects, ...sentiments] };
}
