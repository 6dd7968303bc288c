import { isFiled } from "../../../contract/run.ts";
import { segmentSentences } from "../../../text/split-text.ts";
import { claimOf, critiqueOf, outputOf, type Round } from "../schemas/decision.ts";
import type { Domain, Material, MaterialItem } from "../schemas/material.ts";
import { type Agent, type AgentOutput, type Claim, type Critique, opponentOf, sides } from "../schemas/messages.ts";
import { compareClaims, type CritiqueStatus, isSerious } from "./critique-status.ts";
import {
  altersCopy,
  bearsOn,
  everyClause,
  findItem,
  isSaidBy,
  isSameClaim,
  itemBearsOn,
  listClauses,
  mixesLaws,
  oversteps,
  singlesOut,
} from "./evidence.ts";
import { listMarks, listTexts } from "./figures.ts";

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

/** True when a claim rests on retrieved evidence, including its figures. */
export function isEvidenced({ evidence, risk }: Claim): boolean {
  return evidence.length > 0 && risk === undefined;
}

/** True when a critique says what is wrong with a claim, by its words or figures. */
export function namesClaim(description: string, { statement, assumptions }: Claim): boolean {
  const figures = new Set(listMarks(statement).flatMap(({ gives }) => gives));
  return (
    bearsOn(description, [statement, ...assumptions]) ||
    listMarks(description).some(({ keys }) => keys.some((key) => figures.has(key)))
  );
}

/** True when a critique disputes its claim (law spec §4.1): serious, unsettled, backed by evidence, specific, and not a clash of norms. */
export function disputes(one: CritiqueStatus, claim: Claim): boolean {
  const isOpen = one.status === "open" || one.status === "contested";
  return isOpen && one.critique.issue_type !== "conflict" && isGrounded(one, claim);
}

/** True when a serious critique brings evidence and says what is wrong with its claim. */
function isGrounded({ critique: { severity, evidence, description } }: CritiqueStatus, claim: Claim): boolean {
  return severity !== "MINOR" && evidence.length > 0 && namesClaim(description, claim);
}

/** True when a critique shows what is wrong: by another source, by what its source says and the claim does not, or where no source of the claim bears it out. */
function costs(one: CritiqueStatus, claim: Claim, material: Material): boolean {
  const { evidence, description } = one.critique;
  const isNew = evidence.some((id) => !claim.evidence.includes(id));
  if (!disputes(one, claim) || isNew || one.status !== "open") return disputes(one, claim) && isNew;
  const said = evidence.flatMap((id) => findItem(material, id) ?? []).flatMap(listTexts);
  const isBorneOut = claim.evidence.some((id) => itemBearsOn(material, id, [claim.statement]));
  return !isBorneOut || singlesOut(description, said, [claim.statement]);
}

/** Claims that stand: with evidence, and not defeated by a critique. */
export function listStanding(round: Round, statuses: CritiqueStatus[], material: Material): NamedClaim[] {
  return listClaims(round).filter(
    (claim) => isEvidenced(claim) && !selectOn(statuses, claim).some((one) => costs(one, claim, material)),
  );
}

/** The law a claim states: that of its sources; if they are mixed, its speaker's. */
export function sideOf({ agent, evidence }: NamedClaim, material: Material): Domain {
  const domains = new Set(evidence.flatMap((id) => (isFiled(id) ? [] : (findItem(material, id)?.domain ?? []))));
  const [only] = domains;
  return domains.size === 1 && only ? only : sides[agent];
}

export type DroppedClaim = NamedClaim & { conceded: boolean };

/** Dropped claims: those gone, and those whose id now says something else. */
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
      conceded: selectOn(statuses, claim).some((one) => one.status === "accepted" && isGrounded(one, claim)),
    }));
}

/** True when a claim was reworded under its id, not replaced: it says the same, or much of it on a source it had. */
export function isRevised(now: Claim, before: Claim | null): boolean {
  if (before === null || isSameClaim(now, before)) return before !== null;
  return bearsOn(now.statement, [before.statement]) && now.evidence.some((id) => before.evidence.includes(id));
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

/** Final claims that nobody criticised, judged or cleared in their present form (law spec §4.4). */
export function listUnchecked(rounds: Round[]): NamedClaim[] {
  const last = rounds.at(-1);
  return last ? listClaims(last).filter((claim) => !isChecked(claim, rounds)) : [];
}

/** True when a source says a clause: its title and statement bear on it, and its scope may say more. */
export function isBorneBy(item: MaterialItem, clause: string, query: string): boolean {
  const { title, title_en, statement, statement_en } = item;
  const own = [`${title} ${statement}`, `${title_en} ${statement_en}`];
  return bearsOn(clause, own) && isSaidBy(clause, listTexts(item), query);
}

/** True when a clause of one law says what only the sources of the other say, all sources of the debate compared. */
function joinsLaws(law: Domain, clause: string, { evidence }: Material): boolean {
  const { own = [], others = [] } = Object.groupBy(evidence, ({ domain }) => (domain === law ? "own" : "others"));
  return mixesLaws(clause, own, others);
}

/** Claims that say what no cited source on the question supports, even if a critic found them sound (law spec §4.4). */
export function listBeside(round: Round, material: Material): NamedClaim[] {
  const asked = [...segmentSentences(material.query)];
  return listClaims(round).filter(({ statement, evidence, risk }) => {
    if (risk || evidence.length === 0 || evidence.some(isFiled)) return false;
    const items = evidence.flatMap((id) => findItem(material, id) ?? []).filter(({ answers }) => answers);
    const empty = [...asked, ...items.flatMap(({ title, title_en }) => [title, title_en])];
    const isSaid = (clause: string): boolean =>
      items.some((item) => isBorneBy(item, clause, material.query) && !joinsLaws(item.domain, clause, material));
    const isFine = (sentence: string): boolean =>
      everyClause(sentence, isSaid) &&
      !listClauses(sentence, 1).some((clause) => oversteps(clause, items, material.query)) &&
      !empty.some((one) => isSameClaim({ statement: one }, { statement: sentence }));
    return (
      ![...segmentSentences(statement)].every(isFine) || altersCopy(statement, items.flatMap(listTexts), material.query)
    );
  });
}

function isChecked(claim: NamedClaim, rounds: Round[]): boolean {
  const critic = opponentOf(claim.agent);
  return rounds.some((round, at) => {
    const message = critiqueOf(round, critic);
    const then = claimOf(outputOf(round, claim.agent), claim.id);
    if (!message || !then || compareClaims(then, claim) === "content") return false;
    const sound = message.critiques.filter(({ ungrounded }) => !ungrounded);
    const isJudged = message.verdicts.some(({ critique_id }) =>
      rounds.slice(0, at).some((one) => {
        const raised = critiqueOf(one, critic)?.critiques.find(({ id }) => id === critique_id);
        const criticised = claimOf(outputOf(one, claim.agent), claim.id);
        return raised?.target_claim_id === claim.id && !raised.ungrounded && isRevised(claim, criticised);
      }),
    );
    return (
      isJudged ||
      sound.some((one) => one.target_claim_id === claim.id) ||
      message.cleared.includes(claim.id) ||
      (at === 0 && hasReadAll(sound))
    );
  });
}

/** True when enough was criticised to show that the rest was read; copies, omissions and a single claim do not. */
function hasReadAll(critiques: Critique[]): boolean {
  const objections = critiques.filter(({ target_claim_id }) => target_claim_id !== null);
  const different = new Set(objections.map((one) => `${one.target_claim_id} ${one.description.trim()}`));
  return different.size >= minCritiques && new Set(objections.map((one) => one.target_claim_id)).size > 1;
}

export const minCritiques = 3;

/** The share of an agent's claims without valid evidence or figures, including those dropped for that reason or unprompted. */
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
  // Repeating a claim must not dilute the others.
  const sound = claims.filter(isEvidenced);
  const copies = sound.filter((claim, at) => sound.slice(0, at).some((one) => isSameClaim(one, claim))).length;
  const missing = claims.length - sound.length + dropped;
  return missing === 0 ? 0 : missing / (claims.length - copies + dropped);
}

export function isOneReading(round: Round): boolean {
  const [nla, ala] = [round.nla.claims, round.ala.claims];
  return (
    nla.length > 0 &&
    ala.length > 0 &&
    (nla.every((a) => ala.some((b) => isSameClaim(a, b, true))) ||
      ala.every((a) => nla.some((b) => isSameClaim(a, b, true))))
  );
}
