import type { Agent, AgentOutput, Claim, Response } from "../schemas/agent-output.ts";
import type { Critique, CritiqueVerdict, IssueType } from "../schemas/critique-message.ts";
import { claimOf, critiqueOf, outputOf, type Round } from "../schemas/round.ts";

/** A critique with who raised it, against whom and when. */
export type RaisedCritique = Critique & { round: number; agent: Agent; target: Agent };

export type CritiqueStatus = {
  critique: RaisedCritique;
  status: "open" | "contested" | "accepted" | "withdrawn" | "finding";
  why: string;
};

/**
 * What became of every critique (law spec §4.1): open until its target accepted it and changed the claim, or its critic
 * withdrew it. A target that rejects it on evidence contests it, and it stays contested until its critic speaks. A clash of
 * norms that its critic upholds while both readings rest on evidence is a finding: the debate has shown that both hold.
 */
export function critiqueStatus(rounds: Round[]): CritiqueStatus[] {
  return listRaised(rounds).map((critique) => ({ critique, ...findStatus(critique, rounds) }));
}

/** Whether nothing has closed a critique: its target has not given way and its critic has not withdrawn it. */
export function isUnsettled({ status }: Pick<CritiqueStatus, "status">): boolean {
  return status === "open" || status === "contested";
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
    if (verdict) state = applyVerdict(critique, verdict, state);
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

/** A critic that lets go of what its target accepted confirms it. */
function applyVerdict(critique: RaisedCritique, verdict: CritiqueVerdict, before: CritiqueState): CritiqueState {
  if (verdict.verdict === "withdrawn" && before.status === "accepted") return before;
  const because = verdict.reason ? `: ${verdict.reason}` : "";
  if (verdict.verdict === "withdrawn")
    return { status: "withdrawn", why: `${critique.agent} withdrew it${because}`, upheld: false };
  const status = isJustified(critique, before) ? "finding" : "open";
  return { status, why: `${critique.agent} upholds it${because}`, upheld: true };
}

/** Whether both readings of a clash rest on evidence: the critic brought its own, and the target answered on some that bears. A CRITICAL one says that the other law cannot apply at all. */
function isJustified({ issue_type, severity, evidence }: RaisedCritique, { status }: CritiqueState): boolean {
  const isAnswered = status === "contested" || status === "finding";
  return issue_type === "conflict" && severity !== "CRITICAL" && evidence.length > 0 && isAnswered;
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
    const change = findChange(critique, rounds, outputOf(round, target));
    return isAccording(change, critique.issue_type)
      ? { status: "accepted", why: `${target} accepted it and ${describe(change)}`, upheld: false }
      : { status: "open", why: `${target} accepted it but ${describe(change)}`, upheld: before.upheld };
  }
  if (before.upheld) return { ...before, why: `${before.why}; ${target} rejects it again` };
  return response.reason.trim() && response.evidence.length > 0
    ? { status: "contested", why: `${target} rejects it on evidence: ${response.reason}`, upheld: false }
    : { status: "open", why: `${target} rejected it without evidence that bears on it`, upheld: false };
}

/** An accepted critique whose claim went back to what was criticised is open again. */
function checkStillChanged(critique: RaisedCritique, rounds: Round[], state: CritiqueState): CritiqueState {
  const last = rounds.at(-1);
  if (!last) return state;
  const change = findChange(critique, rounds, outputOf(last, critique.target));
  if (isAccording(change, critique.issue_type)) return state;
  return { status: "open", why: `${critique.target} accepted it, but the claim is as it was`, upheld: false };
}

/** What the target changed since the critique was raised: the criticised claim, or, for an omission, whether a claim now rests on what was left out. */
function findChange(critique: RaisedCritique, rounds: Round[], now: AgentOutput): ClaimChange {
  const raised = rounds.find((one) => one.round === critique.round);
  if (!raised) return "none";
  const before = outputOf(raised, critique.target);
  if (critique.target_claim_id !== null)
    return compareClaims(claimOf(before, critique.target_claim_id), claimOf(now, critique.target_claim_id));
  const rests = ({ claims }: AgentOutput): number =>
    claims.filter(({ evidence }) => evidence.some((id) => critique.evidence.includes(id))).length;
  return rests(now) > rests(before) ? "added" : "none";
}

export type ClaimChange = "removed" | "added" | "content" | "less_confident" | "none";

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
  if (change === "added") return "added what was left out";
  return change === "less_confident" ? "lowered its confidence" : "the claim is as it was";
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
