import { type CaseFile, type Evidence, findEvidence, normRelations, titleOf } from "../../../knowledge/law/index.ts";
import type { RaisedCritique } from "../rules/critique-status.ts";
import type { AgentOutput, Claim, Response } from "../schemas/agent-output.ts";
import type { AgentInput } from "../rules/role-inputs.ts";
import { findCitedItems } from "./claims/claim-support.ts";
import { inspectClaim } from "./claims/defects.ts";
import { writeAnswer } from "./open-answer.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import { selectIndependent } from "./claims/source-confidence.ts";

/** The expert's revision: mends or drops what a critique is right about, and defends the rest on evidence. */
export function reviseAnswer(input: AgentInput, previous: AgentOutput): AgentOutput {
  const { file, agent, round, critiques } = input;
  const claims = new Map(previous.claims.map((claim) => [claim.id, claim]));
  const responses = critiques.map((critique) => {
    const { response, claim } = answerCritique(input, critique, claims.get(critique.target_claim_id) ?? null);
    if (claim) claims.set(claim.id, claim);
    else claims.delete(critique.target_claim_id);
    return response;
  });
  const kept = [...claims.values()];
  const { uncertainties, open_questions } = previous;
  return {
    round,
    agent,
    answer: writeAnswer(file, agent, kept),
    claims: kept,
    uncertainties,
    open_questions,
    responses,
  };
}

type Answered = { response: Response; claim: Claim | null };

function answerCritique({ file, agent }: AgentInput, critique: RaisedCritique, claim: Claim | null): Answered {
  const phrases = phrasesOf(file.retrieval.language).responses;
  const respond = (response: Response["response"], reason: string, evidence: string[]): Response => ({
    critique_id: critique.id,
    response,
    reason,
    evidence,
  });
  if (!claim) return { response: respond("accepted", phrases.alreadyDropped(), []), claim: null };
  const defect = inspectClaim(file, claim).find(({ issue_type }) => issue_type === critique.issue_type);
  if (defect) {
    const mended = defect.fix(claim);
    const reason = mended ? phrases.mended(defect.suggested_fix) : phrases.dropped(defect.description);
    return { response: respond("accepted", reason, mended?.evidence ?? []), claim: mended };
  }
  if (critique.issue_type === "conflict") return answerClash(file, agent, claim, respond);
  const titles = selectIndependent(findCitedItems(file, claim)).map((item) => titleOf(item, file.retrieval.language));
  return { response: respond("rejected", phrases.supported(titles.join("; ")), claim.evidence), claim };
}

/** A clash of norms: adat yields to a national rule that decides the matter; otherwise the reading is kept, with its ground. */
function answerClash(
  file: CaseFile,
  agent: AgentInput["agent"],
  claim: Claim,
  respond: (response: Response["response"], reason: string, evidence: string[]) => Response,
): Answered {
  const { language } = file.retrieval;
  const phrases = phrasesOf(language).responses;
  const overriding = agent === "ALA" ? findRetrieved(file, "overriding") : [];
  if (overriding.length > 0) {
    const titles = overriding.map((item) => titleOf(item, language)).join("; ");
    const assumptions = [...new Set([...claim.assumptions, phrases.yielding(titles)])];
    const evidence = overriding.map(({ id }) => id);
    return { response: respond("accepted", phrases.yields(titles), evidence), claim: { ...claim, assumptions } };
  }
  const bridges = findRetrieved(file, "reference");
  const grounds = [...claim.evidence, ...bridges.map(({ id }) => id)];
  const named = (items: Evidence[]): string => items.map((item) => titleOf(item, language)).join("; ");
  const own = named(selectIndependent(findCitedItems(file, claim)));
  return { response: respond("rejected", phrases.keepsReading(agent, own, named(bridges)), grounds), claim };
}

function findRetrieved(file: CaseFile, kind: "overriding" | "reference") {
  const ids = new Set(normRelations.filter((relation) => relation.kind === kind).flatMap(({ national }) => national));
  return [...ids].flatMap((id) => findEvidence(file, id) ?? []);
}
