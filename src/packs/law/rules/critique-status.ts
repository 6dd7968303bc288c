import type { Agent, AgentOutput, Claim, Response } from "../schemas/agent-output.ts";
import type { Critique, CritiqueVerdict, IssueType } from "../schemas/critique-message.ts";
import { notesOf, type Notes } from "./wording/notes.ts";
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
export function critiqueStatus(rounds: Round[], language: "id" | "en" = "en"): CritiqueStatus[] {
  const tell = notesOf(language).course;
  return listRaised(rounds).map((critique) => ({ critique, ...findStatus(critique, rounds, tell) }));
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

type Course = Notes["course"];
type CritiqueState = Omit<CritiqueStatus, "critique"> & { upheld: boolean };

function findStatus(critique: RaisedCritique, rounds: Round[], tell: Course): Omit<CritiqueStatus, "critique"> {
  let state: CritiqueState = { status: "open", why: tell.unanswered(critique.target), upheld: false };
  for (const round of selectLaterRounds(critique, rounds)) {
    const response = findResponse(critique, round);
    if (response) state = applyResponse(critique, response, { rounds, round, before: state, tell });
    const verdict = findVerdict(critique, round);
    if (verdict) state = applyVerdict(critique, verdict, state, tell);
    if (state.status === "withdrawn") break;
  }
  const { status, why } = state.status === "accepted" ? checkStillChanged(critique, rounds, state, tell) : state;
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
function applyVerdict(
  critique: RaisedCritique,
  verdict: CritiqueVerdict,
  before: CritiqueState,
  tell: Course,
): CritiqueState {
  if (verdict.verdict === "withdrawn" && before.status === "accepted") return before;
  const because = verdict.reason ? `: ${verdict.reason}` : "";
  if (verdict.verdict === "withdrawn")
    return { status: "withdrawn", why: tell.withdrew(critique.agent, because), upheld: false };
  const status = isJustified(critique, before) ? "finding" : "open";
  return { status, why: tell.upholds(critique.agent, because), upheld: true };
}

/** Whether both readings of a clash rest on evidence: the critic brought its own, and the target answered on some that bears. A CRITICAL one says that the other law cannot apply at all. */
function isJustified({ issue_type, severity, evidence }: RaisedCritique, { status }: CritiqueState): boolean {
  const isAnswered = status === "contested" || status === "finding";
  return issue_type === "conflict" && severity !== "CRITICAL" && evidence.length > 0 && isAnswered;
}

function applyResponse(
  critique: RaisedCritique,
  response: Response,
  { rounds, round, before, tell }: { rounds: Round[]; round: Round; before: CritiqueState; tell: Course },
): CritiqueState {
  const { target } = critique;
  if (response.response === "accepted") {
    const change = findChange(critique, rounds, outputOf(round, target));
    return isAccording(change, critique.issue_type)
      ? { status: "accepted", why: tell.accepted(target, tell.changes[change]), upheld: false }
      : { status: "open", why: tell.acceptedBut(target, tell.changes[change]), upheld: before.upheld };
  }
  if (before.upheld) return { ...before, why: tell.rejectsAgain(before.why, target) };
  return response.reason.trim() && response.evidence.length > 0
    ? { status: "contested", why: tell.rejects(target, response.reason), upheld: false }
    : { status: "open", why: tell.rejectedIdly(target), upheld: false };
}

/** An accepted critique whose claim went back to what was criticised is open again. */
function checkStillChanged(
  critique: RaisedCritique,
  rounds: Round[],
  state: CritiqueState,
  tell: Course,
): CritiqueState {
  const last = rounds.at(-1);
  if (!last) return state;
  const change = findChange(critique, rounds, outputOf(last, critique.target));
  if (isAccording(change, critique.issue_type)) return state;
  return { status: "open", why: tell.wentBack(critique.target), upheld: false };
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
