import { findRelations, judgeFit, readNamedRegimes } from "../../../knowledge/law/index.ts";
import { phrasesOf } from "../rules/wording/phrases.ts";
import type { AnsweredCritique, CriticInput } from "../rules/role-inputs.ts";
import type { Claim } from "../schemas/agent-output.ts";
import type { CritiqueVerdict } from "../schemas/critique-message.ts";
import { bearsOn } from "../rules/checks/bearing.ts";
import { claimOf } from "../schemas/round.ts";
import { findDecisive, findReconciling } from "./claims/answers-to-clash.ts";
import { findCitedItems } from "./claims/claim-support.ts";
import { inspectClaim } from "./claims/defects.ts";
import { isForeign, isInvoked } from "./claims/invoked.ts";
import { findRaisedLimit, isExcluded, sayLimit } from "./claims/limits.ts";

type Judged = { isSettled: boolean; reason: string };

/** The expert critic's verdict on its own earlier critique: withdrawn when it was met or has lost its ground, upheld otherwise. */
export function judgeEarlier(input: CriticInput, answered: AnsweredCritique): CritiqueVerdict {
  const { isSettled, reason } = judge(input, answered);
  return { critique_id: answered.critique.id, reason, verdict: isSettled ? "withdrawn" : "upheld" };
}

function judge(input: CriticInput, answered: AnsweredCritique): Judged {
  const { file, target } = input;
  const { critique } = answered;
  const phrases = phrasesOf(file.retrieval.language).verdicts;
  if (critique.target_claim_id === null) {
    const isAdded = target.claims.some(({ evidence }) => evidence.some((id) => critique.evidence.includes(id)));
    return isAdded ? { isSettled: true, reason: phrases.added() } : { isSettled: false, reason: phrases.notAdded() };
  }
  const claim = claimOf(target, critique.target_claim_id);
  if (!claim) return { isSettled: true, reason: phrases.dropped() };
  if (critique.issue_type === "conflict") return judgeClash(input, answered, claim);
  const limited = findRaisedLimit(file, critique, claim);
  if (limited)
    return isExcluded(file, limited)
      ? { isSettled: true, reason: phrases.ruledOut() }
      : { isSettled: false, reason: phrases.unlimited(sayLimit(file, limited.limit)) };
  if (
    critique.issue_type === "domain_mismatch" &&
    target.agent === "NLA" &&
    findDecisive(file, claim.evidence).length > 0
  )
    return { isSettled: true, reason: phrases.decides() };
  if (critique.issue_type === "domain_mismatch" && isForeign(file, target.agent) && !isInvoked(file, claim))
    return { isSettled: false, reason: phrasesOf(file.retrieval.language).unasked(target.agent).description };
  if (critique.issue_type === "domain_mismatch" && isInvoked(file, claim))
    return { isSettled: true, reason: phrases.cited() };
  const still = inspectClaim(file, claim).find(({ issue_type }) => issue_type === critique.issue_type);
  return still ? { isSettled: false, reason: still.description } : { isSettled: true, reason: phrases.mended() };
}

/**
 * A clash ends when the other side gave way, or when the critic's own side no longer claims what it brought. Otherwise it is
 * upheld: as a finding where the answer rests on a source that bears on it and binds these people, as unanswered elsewhere.
 */
function judgeClash(
  { file, own, target }: CriticInput,
  { critique, response }: AnsweredCritique,
  claim: Claim,
): Judged {
  const phrases = phrasesOf(file.retrieval.language).verdicts;
  const { evidence: brought } = critique;
  if (!own.claims.some(({ evidence }) => evidence.some((id) => brought.includes(id))))
    return { isSettled: true, reason: phrases.released() };
  const overriding = findRelations(["overriding"], brought, claim.evidence);
  if (overriding.length > 0 && !claim.evidence.some((id) => brought.includes(id)))
    return { isSettled: false, reason: phrases.overridden() };
  if (response?.response === "accepted") return { isSettled: true, reason: phrases.yielded() };
  const claimed = target.claims.flatMap(({ evidence }) => evidence);
  if (response && findReconciling(file, brought, claimed).length > 0)
    return { isSettled: true, reason: phrases.reconciled() };
  const named = readNamedRegimes(file);
  const grounds = findCitedItems(file, { evidence: response?.evidence ?? [] }).filter(
    (item) => judgeFit(item, named) !== "foreign" && bearsOn(file, item.id, [critique.description, claim.statement]),
  );
  return { isSettled: false, reason: grounds.length > 0 ? phrases.bothStand() : phrases.unanswered() };
}
