import { findEvidence } from "../case-file.ts";
import type { AgentOutput, Claim } from "../messages/agent-output.ts";
import type { AgentInput } from "../roles/agent-input.ts";
import { type Check, rejected, salvageable } from "./check.ts";

type AgentCheck = Check<AgentOutput, AgentInput>;

const maxClaims = 10;

/** The agent speaks for itself and for this round. */
const speaker: AgentCheck = {
  find: (reply, { agent, round }) => [
    ...(reply.agent === agent ? [] : [rejected("wrong_agent", `you are ${agent}, not ${reply.agent}`, ["agent"])]),
    ...(reply.round === round
      ? []
      : [salvageable("wrong_round", `this is round ${round}, not ${reply.round}`, ["round"])]),
  ],
  mend: (reply, { round }) => ({ ...reply, round }),
};

/** A claim's id names one claim. */
const claimIds: AgentCheck = {
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

/** Evidence ids must be in the retrieved list; what is not is removed, and the claim flagged, as is one without evidence. */
const claimEvidence: AgentCheck = {
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

/** At most ten claims; the surplus by confidence is cut. */
const claimCount: AgentCheck = {
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

/** Each critique on the agent is answered once, with a reason, on evidence that was retrieved. */
const responses: AgentCheck = {
  find: (reply, { critiques, file }) => {
    const answered = new Set(reply.responses.map(({ critique_id }) => critique_id));
    const missing = critiques.filter(({ id }) => !answered.has(id));
    return [
      ...missing.map(({ id }) =>
        salvageable("unanswered_critique", `critique ${id} has no response; say accepted or rejected, with a reason`, [
          "responses",
        ]),
      ),
      ...reply.responses.flatMap((one, index) => {
        const path = ["responses", index];
        if (!critiques.some(({ id }) => id === one.critique_id))
          return [
            salvageable("unknown_critique", `there is no critique ${one.critique_id} on you`, [...path, "critique_id"]),
          ];
        if (!one.reason.trim())
          return [salvageable("no_reason", `the response to ${one.critique_id} gives no reason`, [...path, "reason"])];
        const unknown = one.evidence.filter((id) => !findEvidence(file, id));
        return unknown.length > 0
          ? [
              salvageable(
                "unknown_evidence",
                `the response to ${one.critique_id} cites ${unknown.join(", ")}, which was not retrieved`,
                [...path, "evidence"],
              ),
            ]
          : [];
      }),
    ];
  },
  mend: (reply, { critiques, file }) => ({
    ...reply,
    responses: reply.responses
      .filter(({ critique_id, reason }) => reason.trim() && critiques.some(({ id }) => id === critique_id))
      .map((one) => ({ ...one, evidence: one.evidence.filter((id) => findEvidence(file, id)) })),
  }),
};

export const agentChecks: AgentCheck[] = [speaker, claimIds, claimEvidence, claimCount, responses];

function withKnownEvidence(claim: Claim, isKnown: (id: string) => boolean): Claim {
  const evidence = claim.evidence.filter(isKnown);
  const isSound = evidence.length > 0 && evidence.length === claim.evidence.length;
  return isSound ? claim : { ...claim, evidence, risk: "no_evidence" };
}

function surplus(claims: Claim[]): Claim[] {
  return claims.toSorted((a, b) => b.confidence - a.confidence).slice(maxClaims);
}

/** The items with each id used once: a repeated one becomes the first free number. */
export function distinctIds<T extends { id: string }>(items: T[], prefix: string, taken: Iterable<string> = []): T[] {
  const used = new Set(taken);
  const reserved = new Set([...used, ...items.map(({ id }) => id)]);
  return items.map((item) => {
    let { id } = item;
    for (let number = 1; used.has(id); number += 1) {
      const free = `${prefix}${number}`;
      if (!reserved.has(free)) id = free;
    }
    used.add(id);
    reserved.add(id);
    return { ...item, id };
  });
}
