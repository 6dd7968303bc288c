import { type CaseFile, findEvidence } from "../../../../knowledge/law/index.ts";
import type { Claim } from "../../schemas/agent-output.ts";
import { makeIdsDistinct } from "../distinct-ids.ts";
import { type Check, flag, tellingOf } from "./check.ts";
import { findInvented } from "./invented-citations.ts";
import { getCaseGround } from "./text-citations.ts";

type WithClaims = { claims: Claim[] };
type ClaimCheck<R> = Check<R, { file: CaseFile }>;

const maxClaims = 10;

/** The checks on every list of claims, whoever makes them (law spec §3.1). */
export function createClaimChecks<R extends WithClaims>(): ClaimCheck<R>[] {
  return [checkIds(), checkEvidence(), checkCitations(), checkCount()];
}

/** A claim's id names one claim. */
function checkIds<R extends WithClaims>(): ClaimCheck<R> {
  return {
    find: ({ claims }, input) =>
      claims.flatMap(({ id }, index) =>
        claims.findIndex((one) => one.id === id) < index
          ? [flag("duplicate_claim_id", tellingOf(input).claimIdTwice(id), ["claims", index, "id"])]
          : [],
      ),
    mend: (reply) => ({ ...reply, claims: makeIdsDistinct(reply.claims, "C") }),
  };
}

/** Evidence ids must be in the retrieved list; what is not is removed, and the claim flagged, as is one without evidence. */
function checkEvidence<R extends WithClaims>(): ClaimCheck<R> {
  return {
    find: ({ claims }, input) =>
      claims.flatMap((claim, index) => {
        const { file } = input;
        const tell = tellingOf(input);
        const unknown = claim.evidence.filter((id) => !findEvidence(file, id));
        const path = ["claims", index, "evidence"];
        const copied = unknown.filter(isPlaceholder);
        if (copied.length > 0)
          return [flag("placeholder_evidence", tell.placeholder(claim.id, copied.join(", ")), path)];
        if (unknown.length > 0) return [flag("unknown_evidence", tell.claimCites(claim.id, unknown.join(", ")), path)];
        return claim.evidence.length === 0 ? [flag("no_evidence", tell.noEvidence(claim.id), path)] : [];
      }),
    mend: (reply, { file }) => ({
      ...reply,
      claims: reply.claims.map((claim) => keepKnownEvidence(claim, (id) => findEvidence(file, id) !== null)),
    }),
  };
}

/** A statement names no provision that was not retrieved and that the question does not name: such a claim has no ground. */
function checkCitations<R extends WithClaims>(): ClaimCheck<R> {
  return {
    find: ({ claims }, { file }) =>
      claims.flatMap((claim, index) => {
        const invented = findInventedBy(claim, file);
        const message = tellingOf({ file }).inventedInClaim(claim.id, invented.join(", "));
        return invented.length > 0 ? [flag("invented_citation", message, ["claims", index, "statement"])] : [];
      }),
    mend: (reply, { file }) => ({
      ...reply,
      claims: reply.claims.map((claim) =>
        findInventedBy(claim, file).length > 0 ? { ...claim, evidence: [], risk: "no_evidence" } : claim,
      ),
    }),
  };
}

/** At most ten claims; the surplus by confidence is cut. */
function checkCount<R extends WithClaims>(): ClaimCheck<R> {
  return {
    find: ({ claims }, input) =>
      claims.length > maxClaims
        ? [
            flag(
              "too_many_claims",
              tellingOf(input).tooManyClaims(
                claims.length,
                maxClaims,
                findSurplus(claims)
                  .map(({ id }) => id)
                  .join(", "),
              ),
              ["claims"],
            ),
          ]
        : [],
    mend: (reply) => {
      const cut = new Set(findSurplus(reply.claims));
      return { ...reply, claims: reply.claims.filter((claim) => !cut.has(claim)) };
    },
  };
}

/** What a prompt or a schema calls a source, copied instead of a source. */
function isPlaceholder(id: string): boolean {
  return /^(?:source|evidence|context|konteks|bukti|doc|id)(?:[_ -]?(?:id|par))?(?:[_ -]?\d+)?$/i.test(id.trim());
}

function findInventedBy({ statement }: Claim, file: CaseFile): string[] {
  return findInvented(statement, file, getCaseGround(file));
}

/** True when the claim rests on something that was retrieved, and speaks of nothing else. */
export function isSound(claim: Claim, file: CaseFile): boolean {
  return claim.evidence.some((id) => findEvidence(file, id) !== null) && findInventedBy(claim, file).length === 0;
}

function keepKnownEvidence(claim: Claim, isKnown: (id: string) => boolean): Claim {
  const evidence = claim.evidence.filter(isKnown);
  const isSound = evidence.length > 0 && evidence.length === claim.evidence.length;
  return isSound ? claim : { ...claim, evidence, risk: "no_evidence" };
}

function findSurplus(claims: Claim[]): Claim[] {
  return claims.toSorted((a, b) => b.confidence - a.confidence).slice(maxClaims);
}
