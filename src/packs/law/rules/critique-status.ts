import type { Agent, Claim, Response } from "../schemas/agent-output.ts";
import type { Critique, CritiqueVerdict, IssueType } from "../schemas/critique-message.ts";
import { claimOf, critiqueOf, outputOf, type Round } from "../schemas/round.ts";

/** A critique with who raised it, against whom and when. */
export type RaisedCritique = Critique & { round: number; agent: Agent; target: Agent };

export type CritiqueStatus = {
  critique: RaisedCritique;
  status: "open" | "accepted" | "rejected" | "withdrawn";
  why: string;
};

/**
 * What became of every critique (law spec §4.1): open until its target accepted it and changed the claim, its target
 * rejected it on valid evidence and the critic did not uphold it, or its critic withdrew it.
 */
export function critiqueStatus(rounds: Round[]): CritiqueStatus[] {
  return listRaised(rounds).map((critique) => ({ critique, ...findStatus(critique, rounds) }));
}

/** Every critique of the debate in the order it was raised. */
export function listRaised(rounds: Round[]): RaisedCritique[] {
  return rounds.flatMap((round) =>
    (["NLA", "ALA"] as const).flatMap((agent) => {
      const message = critiqueOf(round, agent);
      if (!message) return [];
      const { target } = message;
      return message.critiques.map((critique) => ({ ...critique, round: round.round, agent, target }));
    }),
  );
}

type CritiqueState = Omit<CritiqueStatus, "critique"> & { upheld: boolean };

function findStatus(critique: RaisedCritique, rounds: Round[]): Omit<CritiqueStatus, "critique"> {
  let state: CritiqueState = { status: "open", why: `${critique.target} has not answered it`, upheld: false };
  for (const round of selectLaterRounds(critique, rounds)) {
    const response = findResponse(critique, round);
    if (response) state = applyResponse(critique, response, rounds, round, state);
    const verdict = findVerdict(critique, round);
    if (verdict) state = applyVerdict(critique, verdict);
    if (state.status === "withdrawn") break;
  }
  const { status, why } = state.status === "accepted" ? checkStillChanged(critique, rounds, state) : state;
  return { status, why };
}

/** The rounds in which this critique can still be meant: until its critic uses the same id again. */
function selectLaterRounds(critique: RaisedCritique, rounds: Round[]): Round[] {
  const later = rounds.filter((round) => round.round > critique.round);
  const reused = later.find((round) =>
    critiqueOf(round, critique.agent)?.critiques.some((one) => one.id === critique.id),
  );
  return reused ? later.filter((round) => round.round <= reused.round) : later;
}

function findResponse(critique: RaisedCritique, round: Round): Response | null {
  const { responses } = outputOf(round, critique.target);
  return responses?.find((response) => response.critique_id === critique.id) ?? null;
}

function findVerdict(critique: RaisedCritique, round: Round): CritiqueVerdict | null {
  const verdicts = critiqueOf(round, critique.agent)?.verdicts;
  return verdicts?.find((verdict) => verdict.critique_id === critique.id) ?? null;
}

function applyVerdict(critique: RaisedCritique, verdict: CritiqueVerdict): CritiqueState {
  const because = verdict.reason ? `: ${verdict.reason}` : "";
  return verdict.verdict === "withdrawn"
    ? { status: "withdrawn", why: `${critique.agent} withdrew it${because}`, upheld: false }
    : { status: "open", why: `${critique.agent} upholds it${because}`, upheld: true };
}

function applyResponse(
  critique: RaisedCritique,
  response: Response,
  rounds: Round[],
  round: Round,
  before: CritiqueState,
): CritiqueState {
  const { target } = critique;
  if (response.response === "accepted") {
    const change = compareClaims(
      findCriticised(critique, rounds),
      claimOf(outputOf(round, target), critique.target_claim_id),
    );
    return isAccording(change, critique.issue_type)
      ? { status: "accepted", why: `${target} accepted it and ${describe(change)}`, upheld: false }
      : { status: "open", why: `${target} accepted it but ${describe(change)}`, upheld: before.upheld };
  }
  if (before.upheld) return { ...before, why: `${before.why}; ${target} rejects it again` };
  return citesEvidence(response, rounds)
    ? { status: "rejected", why: `${target} rejected it with evidence: ${response.reason}`, upheld: false }
    : { status: "open", why: `${target} rejected it without citing valid evidence`, upheld: false };
}

/** An accepted critique whose claim went back to what was criticised is open again. */
function checkStillChanged(critique: RaisedCritique, rounds: Round[], state: CritiqueState): CritiqueState {
  const last = rounds.at(-1);
  if (!last) return state;
  const now = claimOf(outputOf(last, critique.target), critique.target_claim_id);
  const change = compareClaims(findCriticised(critique, rounds), now);
  if (isAccording(change, critique.issue_type)) return state;
  return { status: "open", why: `${critique.target} accepted it, but the claim is as it was`, upheld: false };
}

function findCriticised(critique: RaisedCritique, rounds: Round[]): Claim | null {
  const round = rounds.find((one) => one.round === critique.round);
  return round ? claimOf(outputOf(round, critique.target), critique.target_claim_id) : null;
}

export type ClaimChange = "removed" | "content" | "less_confident" | "none";

/** How a claim changed between two rounds. */
export function compareClaims(before: Claim | null, after: Claim | null): ClaimChange {
  if (!before) return "none";
  if (!after) return "removed";
  const same =
    normalise(before.statement) === normalise(after.statement) &&
    isSameSet(before.evidence ?? [], after.evidence ?? []) &&
    isSameSet((before.assumptions ?? []).map(normalise), (after.assumptions ?? []).map(normalise));
  if (!same) return "content";
  return after.confidence < before.confidence ? "less_confident" : "none";
}

/** Being less sure answers an overclaim or thin evidence; anything else needs a changed or removed claim. */
function isAccording(change: ClaimChange, issue: IssueType): boolean {
  if (change === "none") return false;
  return change !== "less_confident" || issue === "overclaim" || issue === "evidence_gap";
}

function describe(change: ClaimChange): string {
  if (change === "removed") return "dropped the claim";
  if (change === "content") return "changed the claim";
  return change === "less_confident" ? "lowered its confidence" : "the claim is as it was";
}

function citesEvidence(response: Response, rounds: Round[]): boolean {
  if (!response.reason.trim()) return false;
  if (response.evidence?.length) return true;
  const known = new Set(
    rounds.flatMap(({ nla, ala }) => [...nla.claims, ...ala.claims].flatMap((one) => one.evidence)),
  );
  return [...known].some((id) => response.reason.includes(id));
}

function normalise(text: string): string {
  return text
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, " ")
    .trim();
}

function isSameSet(a: string[], b: string[]): boolean {
  const [left, right] = [new Set(a), new Set(b)];
  return left.size === right.size && left.isSubsetOf(right);
}
