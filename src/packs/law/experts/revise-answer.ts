import {
  type CaseFile,
  type Evidence,
  findEvidence,
  normRelations,
  statementOf,
  titleOf,
} from "../../../knowledge/law/index.ts";
import type { RaisedCritique } from "../rules/critique-status.ts";
import type { AgentOutput, Claim, Response } from "../schemas/agent-output.ts";
import type { AgentInput } from "../rules/role-inputs.ts";
import { findDecisive, findReconciling } from "./claims/answers-to-clash.ts";
import { findCitedItems } from "./claims/claim-support.ts";
import { inspectClaim } from "./claims/defects.ts";
import { isRelated } from "./claims/omissions.ts";
import { isForeign, isInvoked } from "./claims/invoked.ts";
import { applyLimit, findRaisedLimit, isExcluded, joinTitles } from "./claims/limits.ts";
import { writeIssues } from "./position.ts";
import { writeAnswer } from "./open-answer.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import { rateConfidence, selectIndependent } from "./claims/source-confidence.ts";

/** The expert's revision: mends or drops what a critique is right about, and defends the rest on evidence. */
export function reviseAnswer(input: AgentInput, previous: AgentOutput): AgentOutput {
  const { file, agent, round, critiques } = input;
  const claims = new Map(previous.claims.map((claim) => [claim.id, claim]));
  const responses = critiques.map((critique) => {
    if (critique.target_claim_id === null) {
      const { response, claim } = answerOmission(input, critique, [...claims.values()]);
      if (claim) claims.set(claim.id, claim);
      return response;
    }
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
type Respond = (response: Response["response"], reason: string, evidence: string[]) => Response;

function respondTo({ id }: RaisedCritique): Respond {
  return (response, reason, evidence) => ({ critique_id: id, reason, evidence, response });
}

/** What the other side brings is added where a known relation ties it to what is claimed here; otherwise it is not taken over. */
function answerOmission({ file }: AgentInput, critique: RaisedCritique, claims: Claim[]): Answered {
  const { language } = file.retrieval;
  const phrases = phrasesOf(language);
  const respond = respondTo(critique);
  const claimed = claims.flatMap(({ evidence }) => evidence);
  const items = critique.evidence.flatMap((id) => findEvidence(file, id) ?? []);
  const [lead] = items;
  if (!lead || !isRelated(file, critique.evidence, claimed)) {
    const own = selectIndependent(findCitedItems(file, { evidence: claimed }));
    const titles = own.map((item) => titleOf(item, language)).join("; ");
    return {
      response: respond(
        "rejected",
        phrases.responses.unrelated(titles),
        own.map(({ id }) => id),
      ),
      claim: null,
    };
  }
  const claim = mendClaim(file, {
    id: nextId(claims),
    evidence: items.map(({ id }) => id),
    assumptions: [],
    statement: phrases.accordingTo(titleOf(lead, language), statementOf(lead, language)),
    confidence: rateConfidence(items),
  });
  const added = items.map((item) => titleOf(item, language)).join("; ");
  return { response: respond("accepted", phrases.responses.adds(added), claim?.evidence ?? []), claim };
}

/** A new claim as its own checks leave it: nobody may get to criticise it any more. */
function mendClaim(file: CaseFile, claim: Claim): Claim | null {
  return inspectClaim(file, claim).reduce<Claim | null>((mended, defect) => mended && defect.fix(mended), claim);
}

/** The first claim number after those in use. */
function nextId(claims: Claim[]): string {
  const used = claims.map(({ id }) => Number(id.replace(/\D+/g, "")));
  return `C${Math.max(0, ...used) + 1}`;
}

function answerCritique(
  { file, agent, previous }: AgentInput,
  critique: RaisedCritique,
  claim: Claim | null,
): Answered {
  const phrases = phrasesOf(file.retrieval.language).responses;
  const respond = respondTo(critique);
  const claimed = (previous?.claims ?? []).flatMap(({ evidence }) => evidence);
  if (!claim) return { response: respond("accepted", phrases.alreadyDropped(), []), claim: null };
  const limited = findRaisedLimit(file, critique, claim);
  if (limited) return answerLimit(file, { claim, limited }, respond);
  const defect = inspectClaim(file, claim).find(({ issue_type }) => issue_type === critique.issue_type);
  if (defect) {
    const mended = defect.fix(claim);
    const reason = mended ? phrases.mended(defect.suggested_fix) : phrases.dropped(defect.description);
    return { response: respond("accepted", reason, mended?.evidence ?? []), claim: mended };
  }
  if (critique.issue_type === "conflict")
    return answerClash(file, { agent, claim, claimed, brought: critique.evidence }, respond);
  if (critique.issue_type === "domain_mismatch" && isForeign(file, agent) && !isInvoked(file, claim)) {
    const decisive = agent === "NLA" ? findDecisive(file, claim.evidence) : [];
    if (decisive.length > 0) {
      const issues = writeIssues(file, decisive);
      return { response: respond("rejected", phrases.decides(issues), claim.evidence), claim };
    }
    return { response: respond("accepted", phrases.notAsked(agent), []), claim: null };
  }
  const titles = selectIndependent(findCitedItems(file, claim)).map((item) => titleOf(item, file.retrieval.language));
  return { response: respond("rejected", phrases.supported(titles.join("; ")), claim.evidence), claim };
}

/** A limit of a claim's own law: the claim gives way to it, unless the question says that what the limit turns on is not so. */
function answerLimit(file: CaseFile, { claim, limited }: Limited, respond: Respond): Answered {
  const phrases = phrasesOf(file.retrieval.language).responses;
  const titles = joinTitles(file, limited.items);
  if (isExcluded(file, limited))
    return { response: respond("rejected", phrases.ruledOut(titles), claim.evidence), claim };
  const limitedClaim = applyLimit(file, claim, limited);
  const ids = limited.items.map(({ id }) => id);
  return { response: respond("accepted", phrases.givesWay(titles), ids), claim: limitedClaim };
}

type Limited = { claim: Claim; limited: NonNullable<ReturnType<typeof findRaisedLimit>> };

/** A clash of norms: adat yields to a national rule that decides the matter; otherwise the reading is kept, with its ground. */
function answerClash(file: CaseFile, { agent, claim, claimed, brought }: Clashing, respond: Respond): Answered {
  const { language } = file.retrieval;
  const phrases = phrasesOf(language).responses;
  const overriding = agent === "ALA" ? findOverriding(file, brought) : [];
  if (overriding.length > 0) {
    const titles = overriding.map((item) => titleOf(item, language)).join("; ");
    const assumptions = [...new Set([...claim.assumptions, phrases.yielding(titles)])];
    const ids = overriding.map(({ id }) => id);
    const evidence = [...new Set([...claim.evidence, ...ids])];
    return { response: respond("accepted", phrases.yields(titles), ids), claim: { ...claim, assumptions, evidence } };
  }
  const reconciling = findReconciling(file, brought, claimed);
  if (reconciling.length > 0)
    return {
      response: respond("rejected", phrases.reconciled(writeIssues(file, reconciling)), claim.evidence),
      claim,
    };
  const bridges = findReferences(file);
  const named = (items: Evidence[]): string => items.map((item) => titleOf(item, language)).join("; ");
  const own = named(selectIndependent(findCitedItems(file, claim)));
  return { response: respond("rejected", phrases.keepsReading(agent, own, named(bridges)), claim.evidence), claim };
}

/** A claim under a clash, what its side claims altogether, and what the critic brings against it. */
type Clashing = { agent: AgentInput["agent"]; claim: Claim; claimed: string[]; brought: string[] };

/** What was brought of the national rules that decide a matter whatever adat says. */
function findOverriding(file: CaseFile, brought: string[]) {
  return listOfKind("overriding")
    .filter((id) => brought.includes(id))
    .flatMap((id) => findEvidence(file, id) ?? []);
}

function findReferences(file: CaseFile) {
  return listOfKind("reference").flatMap((id) => findEvidence(file, id) ?? []);
}

function listOfKind(kind: "overriding" | "reference"): string[] {
  return [...new Set(normRelations.filter((relation) => relation.kind === kind).flatMap(({ national }) => national))];
}
