import { type CaseFile, findEvidence } from "../../../../knowledge/law/index.ts";
import type { Claim } from "../../schemas/agent-output.ts";
import { distinctIds } from "../distinct-ids.ts";
import { type Check, salvageable } from "./check.ts";
import { inventedCitations } from "./invented-citations.ts";
import { caseGround } from "./text-citations.ts";

type WithClaims = { claims: Claim[] };
type ClaimCheck<R> = Check<R, { file: CaseFile }>;

const maxClaims = 10;

/** The checks on every list of claims, whoever makes them (law spec §3). */
export function claimChecks<R extends WithClaims>(): ClaimCheck<R>[] {
  return [claimIds(), claimEvidence(), claimCitations(), claimCount()];
}

/** A claim's id names one claim. */
function claimIds<R extends WithClaims>(): ClaimCheck<R> {
  return {
    find: ({ claims }) =>
      claims.flatMap(({ id }, index) =>
        claims.findIndex((one) => one.id === id) < index
          ? [
              salvageable("duplicate_claim_id", `claim id ${id} is used twice; give each claim its own`, [
                "claims",
                index,
                "id",
              ]),
            ]
          : [],
      ),
    mend: (reply) => ({ ...reply, claims: distinctIds(reply.claims, "C") }),
  };
}

/** Evidence ids must be in the retrieved list; what is not is removed, and the claim flagged, as is one without evidence. */
function claimEvidence<R extends WithClaims>(): ClaimCheck<R> {
  return {
    find: ({ claims }, { file }) =>
      claims.flatMap((claim, index) => {
        const unknown = claim.evidence.filter((id) => !findEvidence(file, id));
        const path = ["claims", index, "evidence"];
        if (unknown.length > 0)
          return [
            salvageable(
              "unknown_evidence",
              `${claim.id} cites ${unknown.join(", ")}, which was not retrieved; cite only ids of the evidence list`,
              path,
            ),
          ];
        return claim.evidence.length === 0 ? [salvageable("no_evidence", `${claim.id} cites no evidence`, path)] : [];
      }),
    mend: (reply, { file }) => ({
      ...reply,
      claims: reply.claims.map((claim) => withKnownEvidence(claim, (id) => findEvidence(file, id) !== null)),
    }),
  };
}

/** A statement names no provision that was not retrieved and that the question does not name: such a claim has no ground. */
function claimCitations<R extends WithClaims>(): ClaimCheck<R> {
  return {
    find: ({ claims }, { file }) =>
      claims.flatMap((claim, index) => {
        const invented = inventedBy(claim, file);
        const message = `${claim.id} speaks of ${invented.join(", ")}, which was not retrieved`;
        return invented.length > 0 ? [salvageable("invented_citation", message, ["claims", index, "statement"])] : [];
      }),
    mend: (reply, { file }) => ({
      ...reply,
      claims: reply.claims.map((claim) =>
        inventedBy(claim, file).length > 0 ? { ...claim, evidence: [], risk: "no_evidence" } : claim,
      ),
    }),
  };
}

/** At most ten claims; the surplus by confidence is cut. */
function claimCount<R extends WithClaims>(): ClaimCheck<R> {
  return {
    find: ({ claims }) =>
      claims.length > maxClaims
        ? [
            salvageable(
              "too_many_claims",
              `${claims.length} claims, at most ${maxClaims} are allowed; cut: ${surplus(claims)
                .map(({ id }) => id)
                .join(", ")}`,
              ["claims"],
            ),
          ]
        : [],
    mend: (reply) => {
      const cut = new Set(surplus(reply.claims));
      return { ...reply, claims: reply.claims.filter((claim) => !cut.has(claim)) };
    },
  };
}

function inventedBy({ statement }: Claim, file: CaseFile): string[] {
  return inventedCitations(statement, file, caseGround(file));
}

/** True when the claim rests on something that was retrieved, and speaks of nothing else. */
export function isSound(claim: Claim, file: CaseFile): boolean {
  return claim.evidence.some((id) => findEvidence(file, id) !== null) && inventedBy(claim, file).length === 0;
}

function withKnownEvidence(claim: Claim, isKnown: (id: string) => boolean): Claim {
  const evidence = claim.evidence.filter(isKnown);
  const isSound = evidence.length > 0 && evidence.length === claim.evidence.length;
  return isSound ? claim : { ...claim, evidence, risk: "no_evidence" };
}

function surplus(claims: Claim[]): Claim[] {
  return claims.toSorted((a, b) => b.confidence - a.confidence).slice(maxClaims);
}
