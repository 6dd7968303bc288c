import { proposalTypes, riskTypes, severities, type Span, type ValidatorReply } from "../../schemas/stage1.ts";
import type { AspectMatcher } from "../../rules/tuples/aspect-matcher.ts";
import { isInside } from "../../rules/tuples/find-term.ts";
import { readChoice, type Strike } from "../checks/strikes.ts";

/** Keeps known risk types and proposals on known aspects; a scope outside the text becomes the whole text (sentiment spec §2). */
export function groundValidator(
  text: string,
  validator: ValidatorReply,
  matcher: AspectMatcher,
): { validator: ValidatorReply; strikes: Strike[] } {
  const strikes: Strike[] = [];
  const risks = groundRisks(text, validator.structural_risks, strikes);
  const proposals = validator.correction_proposals.flatMap((proposal, at) => {
    const path = (field: string) => ["correction_proposals", at, field];
    const type = readChoice(proposalTypes, proposal.proposal_type);
    const match = matcher.resolve(proposal.target_aspect);
    if (type === null)
      strikes.push({ code: "proposal_type_unknown", what: proposal.proposal_type, path: path("proposal_type") });
    else if (match.aspect === null)
      strikes.push({ code: "unknown_aspect", what: proposal.target_aspect, path: path("target_aspect") });
    if (type === null || match.aspect === null) return [];
    const span = proposal.revised_span;
    return [
      {
        ...proposal,
        proposal_type: type,
        target_aspect: match.aspect,
        revised_span: span && isInside(text, span) ? span : null,
      },
    ];
  });
  return { validator: { ...validator, structural_risks: risks, correction_proposals: proposals }, strikes };
}

export function groundRisks(
  text: string,
  risks: ValidatorReply["structural_risks"],
  strikes: Strike[],
): ValidatorReply["structural_risks"] {
  return risks.flatMap((risk, at) => {
    const type = readChoice(riskTypes, risk.type);
    if (type === null)
      strikes.push({ code: "risk_type_unknown", what: risk.type, path: ["structural_risks", at, "type"] });
    return type === null
      ? []
      : [{ ...risk, type, severity: readSeverity(risk.severity), scope: placeScope(text, risk.scope) }];
  });
}

function placeScope(text: string, scope: Span): Span {
  return isInside(text, scope) ? scope : { start: 0, end: text.length };
}

function readSeverity(word: string): string {
  return word.trim().toLowerCase() === "mid" ? "medium" : (readChoice(severities, word) ?? "medium");
}
