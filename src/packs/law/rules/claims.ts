import { claimOf, critiqueOf, outputOf, type Round } from "../schemas/decision.ts";
import type { Domain, Material } from "../schemas/material.ts";
import { type Agent, type AgentOutput, type Claim, opponentOf } from "../schemas/messages.ts";
import { compareClaims, type CritiqueStatus, isSerious } from "./critique-status.ts";
import { findItem, isSameClaim } from "./evidence.ts";

export const agents: Agent[] = ["NLA", "ALA"];

/** A claim under the name that a supervisor calls it by. */
export type NamedClaim = Claim & { claim: string; agent: Agent };

export function nameClaims({ agent, claims }: AgentOutput): NamedClaim[] {
  return claims.map((claim) => ({ ...claim, agent, claim: `${agent}:${claim.id}` }));
}

export function listClaims({ nla, ala }: Pick<Round, "nla" | "ala">): NamedClaim[] {
  return [...nameClaims(nla), ...nameClaims(ala)];
}

/** The critiques on a claim. */
export function selectOn(
  statuses: CritiqueStatus[],
  { agent, id }: Pick<NamedClaim, "agent" | "id">,
): CritiqueStatus[] {
  return statuses.filter(({ critique }) => critique.target === agent && critique.target_claim_id === id);
}

/** Whether a claim rests on what was retrieved: evidence that exists, figures that it has. */
export function isEvidenced({ evidence, risk }: Claim): boolean {
  return evidence.length > 0 && risk === undefined;
}

/**
 * Whether a critique costs its claim (law spec §4.1): serious, answered or ignored but not settled, and shown by evidence or by the
 * checks. A clash of norms costs neither side its reading, and what nobody could answer costs nothing.
 */
export function costs({ critique, status }: CritiqueStatus, claim: Claim): boolean {
  if (
    (status !== "open" && status !== "contested") ||
    critique.severity === "MINOR" ||
    critique.issue_type === "conflict"
  )
    return false;
  return critique.evidence.length > 0 || claim.risk !== undefined;
}

/** The claims of a round that stand: evidenced, and no critique costs them. */
export function listStanding(round: Round, statuses: CritiqueStatus[]): NamedClaim[] {
  return listClaims(round).filter(
    (claim) => isEvidenced(claim) && !selectOn(statuses, claim).some((one) => costs(one, claim)),
  );
}

/** Whose law a claim states: that of its sources; where they are of both, its speaker's. */
export function sideOf({ agent, evidence }: NamedClaim, material: Material): Domain {
  const domains = new Set(evidence.flatMap((id) => findItem(material, id)?.domain ?? []));
  const [only] = domains;
  return domains.size === 1 && only ? only : agent === "NLA" ? "national" : "adat";
}

/** A claim that its side no longer makes, as it last stood; `conceded` when it was given up to a serious critique that its side accepted. */
export type DroppedClaim = NamedClaim & { conceded: boolean };

/** What the sides no longer say: claims that are gone, and those under whose id something else is said now. */
export function listDropped(rounds: Round[], statuses: CritiqueStatus[]): DroppedClaim[] {
  const last = rounds.at(-1);
  if (!last) return [];
  const byName = new Map(
    rounds.slice(0, -1).flatMap((round) => listClaims(round).map((claim) => [claim.claim, claim] as const)),
  );
  return [...byName.values()]
    .filter((claim) => {
      const now = claimOf(outputOf(last, claim.agent), claim.id);
      return now === null || (!isSameClaim(claim, now) && compareWords(claim, now) < unlike);
    })
    .filter((claim) => !outputOf(last, claim.agent).claims.some((now) => isSameClaim(claim, now)))
    .map((claim) => ({
      ...claim,
      conceded: selectOn(statuses, claim).some((one) => isSerious(one) && one.status === "accepted"),
    }));
}

const unlike = 0.3;

function compareWords(a: Claim, b: Claim): number {
  const words = ({ statement }: Claim): Set<string> =>
    new Set(statement.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const [left, right] = [words(a), words(b)];
  return left.intersection(right).size / Math.max(1, Math.min(left.size, right.size));
}

/** The claims of an answer that are new or say something else than in the answer before. */
export function listChanged(before: Round | undefined, round: Round, agent: Agent): string[] {
  const earlier = before ? outputOf(before, agent) : null;
  return outputOf(round, agent)
    .claims.filter((claim) => {
      const old = earlier ? claimOf(earlier, claim.id) : null;
      return old === null || compareClaims(old, claim) === "content";
    })
    .map(({ id }) => id);
}

/**
 * Claims of the final answers that nobody checked (law spec §4.4): no critic spoke with substance in a round in which the claim
 * stood as it stands now, or named it as sound. A claim that changed after round 1 is a new claim: criticised, judged or cleared by name.
 */
export function listUnchecked(rounds: Round[]): NamedClaim[] {
  const last = rounds.at(-1);
  return last ? listClaims(last).filter((claim) => !isChecked(claim, rounds)) : [];
}

function isChecked(claim: NamedClaim, rounds: Round[]): boolean {
  const critic = opponentOf(claim.agent);
  return rounds.some((round, at) => {
    const message = critiqueOf(round, critic);
    const then = claimOf(outputOf(round, claim.agent), claim.id);
    if (!message || !then || compareClaims(then, claim) === "content" || round.silent?.includes(critic)) return false;
    if (at === 0) return hasChecked(message.critiques) || message.cleared.includes(claim.id);
    const isJudged = message.verdicts.some(({ critique_id }) =>
      rounds
        .slice(0, at)
        .some((one) =>
          critiqueOf(one, critic)?.critiques.some(
            ({ id, target_claim_id }) =>
              id === critique_id && (target_claim_id === claim.id || target_claim_id === null),
          ),
        ),
    );
    return (
      isJudged ||
      message.cleared.includes(claim.id) ||
      message.critiques.some((one) => one.target_claim_id === claim.id && !one.ungrounded)
    );
  });
}

/** Whether a critic of round 1 has checked anything: an empty list, or one of which nothing has ground, is no check. */
export function hasChecked(critiques: { ungrounded?: true | undefined }[]): boolean {
  return critiques.some(({ ungrounded }) => !ungrounded);
}

/** The share of an agent's claims that have no valid evidence or figures, those it dropped for want of it or unasked included. */
export function measureMissing(rounds: Round[], agent: Agent, statuses: CritiqueStatus[]): number {
  const last = rounds.at(-1);
  if (!last) return 0;
  const { claims } = outputOf(last, agent);
  const dropped = listDropped(rounds, statuses).filter(
    (claim) =>
      claim.agent === agent &&
      (!isEvidenced(claim) ||
        selectOn(statuses, claim).some(
          (one) => isSerious(one) && one.critique.issue_type === "evidence_gap" && one.status !== "ungrounded",
        )),
  ).length;
  const missing = claims.filter((claim) => !isEvidenced(claim)).length + dropped;
  return missing === 0 ? 0 : missing / (claims.length + dropped);
}

/** Whether both sides only say the same: every claim of one is a claim of the other. */
export function isOneReading(round: Round): boolean {
  const [nla, ala] = [round.nla.claims, round.ala.claims];
  return (
    nla.length > 0 &&
    ala.length > 0 &&
    (nla.every((a) => ala.some((b) => isSameClaim(a, b))) || ala.every((a) => nla.some((b) => isSameClaim(a, b))))
  );
}
