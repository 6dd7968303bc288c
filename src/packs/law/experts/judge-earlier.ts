import { findRelations, judgeFit, readNamedRegimes } from "../../../knowledge/law/index.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import type { AnsweredCritique, CriticInput } from "../rules/role-inputs.ts";
import type { Claim } from "../schemas/agent-output.ts";
import type { CritiqueVerdict } from "../schemas/critique-message.ts";
import { claimOf } from "../schemas/round.ts";
import { findCitedItems } from "./claims/claim-support.ts";
import { inspectClaim } from "./claims/defects.ts";
import { isForeign, isInvoked } from "./claims/invoked.ts";

type Judged = { isSettled: boolean; reason: string };

/** The expert critic's verdict on its own earlier critique: withdrawn when it was met or answered on evidence that bears on it, upheld otherwise. */
export function judgeEarlier(input: CriticInput, answered: AnsweredCritique): CritiqueVerdict {
  const { isSettled, reason } = judge(input, answered);
  return { critique_id: answered.critique.id, reason, verdict: isSettled ? "withdrawn" : "upheld" };
}

function judge(input: CriticInput, { critique, response }: AnsweredCritique): Judged {
  const { file, target } = input;
  const phrases = phrasesOf(file.retrieval.language).verdicts;
  if (critique.target_claim_id === null) {
    const isAdded = target.claims.some(({ evidence }) => evidence.some((id) => critique.evidence.includes(id)));
    return isAdded ? { isSettled: true, reason: phrases.added() } : { isSettled: false, reason: phrases.notAdded() };
  }
  const claim = claimOf(target, critique.target_claim_id);
  if (!claim) return { isSettled: true, reason: phrases.dropped() };
  if (critique.issue_type === "conflict") return judgeClash(input, critique.evidence, claim, response);
  if (critique.issue_type === "domain_mismatch" && isForeign(file, target.agent) && !isInvoked(file, claim))
    return { isSettled: false, reason: phrasesOf(file.retrieval.language).unasked(target.agent).description };
  if (critique.issue_type === "domain_mismatch" && isInvoked(file, claim))
    return { isSettled: true, reason: phrases.cited() };
  const still = inspectClaim(file, claim).find(({ issue_type }) => issue_type === critique.issue_type);
  return still ? { isSettled: false, reason: still.description } : { isSettled: true, reason: phrases.mended() };
}

/** A clash is settled when the other reading is explained on a source that binds these people, and no national rule decides the matter anyway. */
function judgeClash(
  { file }: CriticInput,
  brought: string[],
  claim: Claim,
  response: AnsweredCritique["response"],
): Judged {
  const phrases = phrasesOf(file.retrieval.language).verdicts;
  const isOverridden =
    findRelations(["overriding"], brought, claim.evidence).length > 0 &&
    !claim.evidence.some((id) => brought.includes(id));
  if (isOverridden) return { isSettled: false, reason: phrases.overridden() };
  const isExplained =
    response !== null &&
    response.reason.trim() !== "" &&
    (response.response === "accepted" || response.evidence.length > 0) &&
    findCitedItems(file, claim).some((item) => judgeFit(item, readNamedRegimes(file)) !== "foreign");
  return { isSettled: isExplained, reason: isExplained ? phrases.explained() : phrases.unanswered() };
}
