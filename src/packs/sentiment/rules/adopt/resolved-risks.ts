import type { Correction } from "../../schemas/outcome.ts";
import type { Aspect, Sentiment, Span, Stage1, StructuralRisk } from "../../schemas/stage1.ts";
import { findTerm, overlaps } from "../tuples/find-term.ts";

const resolving = ["FLIP_POLARITY", "DROP_ASPECT", "REVISE_SPAN"];

/** The Stage 1 risks that an applied correction resolved: its aspect's span or evidence overlaps the risk (sentiment spec §7). */
export function findResolvedRisks(
  text: string,
  stage1: Stage1,
  corrections: readonly Correction[],
  isReverted: (correction: Correction) => boolean,
): StructuralRisk[] {
  const places = corrections
    .filter((one) => one.applied && resolving.includes(one.proposal_type) && !isReverted(one))
    .flatMap((one) => listPlaces(text, stage1, one.target_aspect));
  return (stage1.validator?.structural_risks ?? []).filter((risk) =>
    places.some((place) => overlaps(place, risk.scope)),
  );
}

function listPlaces(text: string, stage1: Stage1, aspect: string): Span[] {
  const own = stage1.aspect_sentiments.filter((sentiment) => sentiment.aspect_ref === aspect);
  const spans = stage1.aspects.filter((one: Aspect) => one.term === aspect).map((one) => one.span);
  const evidence = own.flatMap((sentiment: Sentiment) => [
    ...(sentiment.opinion_term ? [sentiment.opinion_term.span] : []),
    ...[findTerm(text, sentiment.evidence.trim())].filter((span) => span !== null),
  ]);
  const places = [...spans, ...evidence];
  const place = findTerm(text, aspect);
  return places.length > 0 || place === null ? places : [place];
}
