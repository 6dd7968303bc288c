import {
  type CaseFile,
  findEvidence,
  findLimits,
  isRuledOut,
  type Limit,
  type RetrievedEvidence,
  statementOf,
  titleOf,
} from "../../../../knowledge/law/index.ts";
import { phrasesOf } from "../../rules/wording/phrases.ts";
import type { Claim } from "../../schemas/agent-output.ts";
import type { Critique } from "../../schemas/critique-message.ts";
import { rateConfidence } from "./source-confidence.ts";

type Limited = { limit: Limit; items: RetrievedEvidence[] };

/** The limits that the words of the question call for and that a claim leaves out; only the critic looks for them. */
export function findUnsaidLimits(file: CaseFile, claim: Claim): Limited[] {
  return findLimits(file.read, claim.evidence)
    .map((limit) => ({ limit, items: limit.by.flatMap((id) => findEvidence(file, id) ?? []) }))
    .filter(({ limit, items }) => items.length > 0 && !limit.by.some((id) => claim.evidence.includes(id)));
}

/** The limit that a critique is about: it brings what limits the claim. */
export function findRaisedLimit(file: CaseFile, { evidence }: Critique, claim: Claim): Limited | null {
  return findUnsaidLimits(file, claim).find(({ limit }) => limit.by.every((id) => evidence.includes(id))) ?? null;
}

/** Whether the question itself says that what the limit turns on is not so. */
export function isExcluded(file: CaseFile, { limit }: Limited): boolean {
  return isRuledOut(file.read, limit);
}

/** A claim that gives way to a limit: what decides takes its place, or is added as what it is subject to. */
export function applyLimit(file: CaseFile, claim: Claim, { limit, items }: Limited): Claim {
  const { language } = file.retrieval;
  const phrases = phrasesOf(language);
  const [lead] = items as [RetrievedEvidence];
  const ids = items.map(({ id }) => id);
  if (limit.effect === "qualifies") {
    const assumption = phrases.responses.yielding(joinTitles(file, items));
    return { ...claim, evidence: [...claim.evidence, ...ids], assumptions: [...claim.assumptions, assumption] };
  }
  const statement = phrases.accordingTo(titleOf(lead, language), statementOf(lead, language));
  return { id: claim.id, statement, evidence: ids, assumptions: [], confidence: rateConfidence(items) };
}

/** What a limit says, in the answer's language. */
export function sayLimit({ retrieval }: CaseFile, { issue, issue_en }: Limit): string {
  return retrieval.language === "en" ? issue_en : issue;
}

export function joinTitles({ retrieval }: CaseFile, items: RetrievedEvidence[]): string {
  return items.map((item) => titleOf(item, retrieval.language)).join("; ");
}
