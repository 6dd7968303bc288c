import {
  type CaseFile,
  type Conclusion,
  type NormRelation,
  selectOnIssue,
  readAtom,
  findRelations,
  extractTerms,
  writeAtom,
} from "../../../../knowledge/law/index.ts";
import type { AgentOutput, Claim } from "../../schemas/agent-output.ts";
import { findClaimContradictions } from "../../rules/claim-contradictions.ts";
import { claimOf } from "../../schemas/round.ts";

/** A point on which two claims answer differently: by a known relation of norms, or by the rules' conclusions. */
export type Clash = { nla: Claim; ala: Claim; issue: string; by: string[] };

/** Where the two sides' claims answer the question differently: what the rules derive, else known relations on the question's issue. */
export function findClashes(file: CaseFile, nla: AgentOutput, ala: AgentOutput): Clash[] {
  const derived = findClaimContradictions(file, nla, ala).flatMap(({ nla_claim_id, ala_claim_id, by, statement }) => {
    const [national, adat] = [claimOf(nla, nla_claim_id), claimOf(ala, ala_claim_id)];
    return national && adat ? [{ nla: national, ala: adat, issue: statement, by }] : [];
  });
  if (derived.length > 0) return keepFirst(derived);
  const known = selectOnIssue(file.read, findRelations(["conflict"], listEvidence(nla), listEvidence(ala)));
  return keepFirst(known.flatMap((relation) => findClash(file, relation, nla, ala)));
}

function findClash({ retrieval }: CaseFile, relation: NormRelation, nla: AgentOutput, ala: AgentOutput): Clash[] {
  const issue = retrieval.language === "en" ? relation.issue_en : relation.issue;
  const closest = (claims: Claim[], ids: string[]): Claim | undefined => {
    const resting = claims.filter(({ evidence }) => ids.some((id) => evidence.includes(id)));
    return findClosest(resting, issue, retrieval.language);
  };
  const [national, adat] = [closest(nla.claims, relation.national), closest(ala.claims, relation.adat)];
  return national && adat ? [{ nla: national, ala: adat, issue, by: [relation.id] }] : [];
}

/** The claim whose words come closest to an issue. */
export function findClosest(claims: Claim[], issue: string, language: "id" | "en"): Claim | undefined {
  const words = new Set(extractTerms(issue, language));
  const rated = claims.map((claim) => ({
    claim,
    shared: words.intersection(new Set(extractTerms(claim.statement, language))).size,
  }));
  return rated.toSorted((a, b) => b.shared - a.shared)[0]?.claim;
}

function keepFirst(clashes: Clash[]): Clash[] {
  return [...new Map(clashes.toReversed().map((clash) => [clash.issue, clash])).values()].toReversed();
}

function listEvidence({ claims }: AgentOutput): string[] {
  return claims.flatMap(({ evidence }) => evidence);
}

/** What the rules conclude alike in both laws from the claims' own rules. */
export function findAgreements({ retrieval }: CaseFile, national: Claim[], adat: Claim[]): string[] {
  const concluded = (claims: Claim[]): Conclusion[] => {
    const cited = new Set(claims.flatMap(({ evidence }) => evidence));
    return retrieval.rules.conclusions.filter(({ by }) => by.some((id) => cited.has(id)));
  };
  const ofAdat = concluded(adat);
  return concluded(national).flatMap((one) => {
    const same = ofAdat.find((other) => other !== one && dropSystem(other.fact) === dropSystem(one.fact));
    if (!same) return [];
    return retrieval.language === "en"
      ? `${one.statement_en} ↔ ${same.statement_en}`
      : `${one.statement} ↔ ${same.statement}`;
  });
}

/** A conclusion without the system of law that draws it. */
function dropSystem(fact: string): string {
  const { predicate, args, negated } = readAtom(fact);
  return writeAtom({ predicate, args: args.slice(1), negated });
}
