import { isFiled } from "../../../contract/run.ts";
import { claimOf, critiqueOf, outputOf, type Round } from "../schemas/decision.ts";
import type { Domain, Material } from "../schemas/material.ts";
import { type Agent, type AgentOutput, type Claim, type Critique, opponentOf } from "../schemas/messages.ts";
import { compareClaims, type CritiqueStatus, isSerious } from "./critique-status.ts";
import { bearsOn, findItem, isSameClaim } from "./evidence.ts";
import { listMarks } from "./figures.ts";

export const agents: Agent[] = ["NLA", "ALA"];

export type NamedClaim = Claim & { claim: string; agent: Agent };

export function nameClaims({ agent, claims }: AgentOutput): NamedClaim[] {
  return claims.map((claim) => ({ ...claim, agent, claim: `${agent}:${claim.id}` }));
}

export function listClaims({ nla, ala }: Pick<Round, "nla" | "ala">): NamedClaim[] {
  return [...nameClaims(nla), ...nameClaims(ala)];
}

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

/** Whether a critique says what in a claim is wrong: in its words or by its figures. */
export function namesClaim(description: string, { statement, assumptions }: Claim): boolean {
  const figures = new Set(listMarks(statement).map(({ key }) => key));
  return (
    bearsOn(description, [statement, ...assumptions]) || listMarks(description).some(({ key }) => figures.has(key))
  );
}

/** Whether a critique disputes its claim (law spec §4.1): serious, unsettled, shown by evidence, naming what is wrong, and no clash of norms. */
export function disputes({ critique, status }: CritiqueStatus, claim: Claim): boolean {
  const { severity, issue_type, evidence, description } = critique;
  if (severity === "MINOR" || issue_type === "conflict" || (status !== "open" && status !== "contested")) return false;
  return evidence.length > 0 && namesClaim(description, claim);
}

function costs(one: CritiqueStatus, claim: Claim): boolean {
  const isNew = one.critique.evidence.some((id) => !claim.evidence.includes(id));
  return disputes(one, claim) && (one.status === "open" || isNew);
}

/** The claims of a round that stand: evidenced, and no critique costs them. */
export function listStanding(round: Round, statuses: CritiqueStatus[]): NamedClaim[] {
  return listClaims(round).filter(
    (claim) => isEvidenced(claim) && !selectOn(statuses, claim).some((one) => costs(one, claim)),
  );
}

/** Whose law a claim states: that of its sources; where they are of both, its speaker's. */
export function sideOf({ agent, evidence }: NamedClaim, material: Material): Domain {
  const domains = new Set(evidence.flatMap((id) => (isFiled(id) ? [] : (findItem(material, id)?.domain ?? []))));
  const [only] = domains;
  return domains.size === 1 && only ? only : agent === "NLA" ? "national" : "adat";
}

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
      return now === null || !isRevised(now, claim);
    })
    .filter((claim) => !outputOf(last, claim.agent).claims.some((now) => isSameClaim(claim, now)))
    .map((claim) => ({
      ...claim,
      conceded: selectOn(statuses, claim).some((one) => isSerious(one) && one.status === "accepted"),
    }));
}

const unlike = 0.3;

export function isRevised(now: Claim, before: Claim | null): boolean {
  if (!before) return false;
  const words = ({ statement }: Claim): Set<string> =>
    new Set(statement.toLowerCase().match(/[\p{L}\p{N}]{3,}/gu) ?? []);
  const [left, right] = [words(now), words(before)];
  return left.intersection(right).size >= unlike * Math.max(1, Math.min(left.size, right.size));
}

export function listChanged(before: Round | undefined, round: Round, agent: Agent): string[] {
  const earlier = before ? outputOf(before, agent) : null;
  return outputOf(round, agent)
    .claims.filter((claim) => {
      const old = earlier ? claimOf(earlier, claim.id) : null;
      return old === null || compareClaims(old, claim) === "content";
    })
    .map(({ id }) => id);
}

/** Claims of the final answers that, as they stand now, nobody criticised, judged or named as sound (law spec §4.4). */
export function listUnchecked(rounds: Round[], material: Material): NamedClaim[] {
  const last = rounds.at(-1);
  return last ? listClaims(last).filter((claim) => !isChecked(claim, rounds, isBeside(claim, material))) : [];
}

/** Whether a claim rests only on items that do not answer the question although others do. */
function isBeside({ evidence }: Claim, material: Material): boolean {
  const items = evidence.flatMap((id) => (isFiled(id) ? [] : (findItem(material, id) ?? [])));
  return items.length > 0 && !items.some(({ answers }) => answers) && material.evidence.some(({ answers }) => answers);
}

/** A claim beside the question is checked only by a serious critique of it. */
function isChecked(claim: NamedClaim, rounds: Round[], beside: boolean): boolean {
  const critic = opponentOf(claim.agent);
  const counts = ({ ungrounded, severity }: Critique): boolean => !ungrounded && !(beside && severity === "MINOR");
  return rounds.some((round, at) => {
    const message = critiqueOf(round, critic);
    const then = claimOf(outputOf(round, claim.agent), claim.id);
    if (!message || !then || compareClaims(then, claim) === "content" || round.silent?.includes(critic)) return false;
    const sound = message.critiques.filter(counts);
    const isJudged = message.verdicts.some(({ critique_id }) =>
      rounds.slice(0, at).some((one) => {
        const criticised = claimOf(outputOf(one, claim.agent), claim.id);
        const isAdded = (id: string): boolean => claim.evidence.includes(id) && !criticised?.evidence.includes(id);
        return critiqueOf(one, critic)?.critiques.some(
          (critique) =>
            critique.id === critique_id &&
            (critique.target_claim_id === null
              ? !beside && critique.evidence.some(isAdded)
              : critique.target_claim_id === claim.id && isRevised(claim, criticised) && counts(critique)),
        );
      }),
    );
    return (
      isJudged ||
      sound.some((one) => one.target_claim_id === claim.id) ||
      (!beside && (message.cleared.includes(claim.id) || (at === 0 && countObjections(sound) >= minCritiques)))
    );
  });
}

/** How many different things are held against claims: a copy or a mere omission shows nothing about the others. */
function countObjections(critiques: Critique[]): number {
  const objections = critiques.filter(({ target_claim_id }) => target_claim_id !== null);
  return new Set(objections.map((one) => `${one.target_claim_id} ${one.description.trim()}`)).size;
}

export const minCritiques = 3;

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
    (nla.every((a) => ala.some((b) => isSameClaim(a, b, true))) ||
      ala.every((a) => nla.some((b) => isSameClaim(a, b, true))))
  );
}
