import { claimOf, critiqueOf, type DebateSummary, outputOf, type Round } from "../schemas/decision.ts";
import type { Language } from "../schemas/material.ts";
import type { Agent, AgentOutput, Claim, Critique, CritiqueVerdict, Response } from "../schemas/messages.ts";
import { word } from "../words/word.ts";
import { hasSameWords, isSameClaim } from "./evidence.ts";

export type RaisedCritique = Critique & { round: number; agent: Agent; target: Agent };
export type CritiqueStatus = DebateSummary["critiques"][number];

/** The status of every critique (law spec §4.1): open until its target accepted it and changed the claim, or its critic withdrew it. */
export function critiqueStatus(rounds: Round[], language: Language = "en"): CritiqueStatus[] {
  return listRaised(rounds).map((critique) => ({ critique, ...findStatus(critique, rounds, language) }));
}

export function isUnsettled({ status }: Pick<CritiqueStatus, "status">): boolean {
  return status === "open" || status === "contested" || status === "unanswered";
}

export function isSerious({ critique }: CritiqueStatus): boolean {
  return critique.severity !== "MINOR";
}

export function listRaised(rounds: Round[]): RaisedCritique[] {
  return rounds.flatMap((round) =>
    (["NLA", "ALA"] as const).flatMap((agent) => {
      const { target = agent, critiques = [] } = critiqueOf(round, agent) ?? {};
      return critiques.map((critique) => ({ ...critique, round: round.round, agent, target }));
    }),
  );
}

type State = Pick<CritiqueStatus, "status" | "why"> & { upheld: boolean };

function findStatus(
  critique: RaisedCritique,
  rounds: Round[],
  language: Language,
): Pick<CritiqueStatus, "status" | "why"> {
  const say = (key: string, values = {}): string =>
    word(language, `course.${key}`, { critic: critique.agent, target: critique.target, ...values });
  if (critique.ungrounded) return { status: "ungrounded", why: say("ungrounded") };
  const later = rounds.filter((round) => round.round > critique.round);
  if (later.length === 0) return { status: "unanswered", why: say("unanswered") };
  let [isAnswered, state]: [boolean, State] = [false, { status: "open", why: say("ignored"), upheld: false }];
  for (const round of later) {
    const response = outputOf(round, critique.target).responses.find((one) => one.critique_id === critique.id);
    if (response) state = applyResponse(critique, response, state, { rounds, round, say });
    // Accepting without a change is not an answer.
    isAnswered ||= response !== undefined && !(response.response === "accepted" && state.status === "open");
    const verdict = critiqueOf(round, critique.agent)?.verdicts.find((one) => one.critique_id === critique.id);
    if (verdict) state = applyVerdict(critique, verdict, state, say);
    if (state.status === "withdrawn") break;
  }
  // Withdrawing a serious critique that was never answered does not settle it.
  if (state.status === "withdrawn" && !isAnswered && critique.severity !== "MINOR")
    return { status: "unanswered", why: `${say("ignored")}; ${state.why}` };
  const { status, why } = state;
  const last = rounds.at(-1);
  if (
    status === "accepted" &&
    last &&
    !isAccording(findChange(critique, rounds, outputOf(last, critique.target)), critique)
  )
    return { status: "open", why: say("went_back") };
  return { status, why };
}

type Say = (key: string, values?: Record<string, string>) => string;

function applyResponse(
  critique: RaisedCritique,
  response: Response,
  before: State,
  { rounds, round, say }: { rounds: Round[]; round: Round; say: Say },
): State {
  if (response.response === "accepted") {
    const change = findChange(critique, rounds, outputOf(round, critique.target));
    return isAccording(change, critique)
      ? { status: "accepted", why: say("accepted", { change: say(`change.${change}`) }), upheld: false }
      : { status: "open", why: say("accepted_but", { change: say(`change.${change}`) }), upheld: before.upheld };
  }
  if (before.upheld) return { ...before, why: say("rejects_again", { before: before.why }) };
  return response.reason.trim() && response.evidence.length > 0
    ? { status: "contested", why: say("rejects", { reason: response.reason }), upheld: false }
    : { status: "open", why: say("rejected_idly"), upheld: false };
}

function applyVerdict(critique: RaisedCritique, { verdict, reason }: CritiqueVerdict, before: State, say: Say): State {
  if (verdict === "withdrawn")
    return before.status === "accepted"
      ? before
      : { status: "withdrawn", why: say("withdrew", { reason }), upheld: false };
  const isAnswered = before.status === "contested" || before.status === "finding";
  const isFinding =
    isAnswered &&
    critique.issue_type === "conflict" &&
    critique.severity !== "CRITICAL" &&
    critique.evidence.length > 0;
  const isContested = isAnswered && critique.issue_type !== "conflict";
  const status = isFinding ? "finding" : isContested ? "contested" : "open";
  return { status, why: say("upholds", { reason }), upheld: true };
}

export type ClaimChange = "removed" | "added" | "content" | "less_confident" | "none";

function findChange(critique: RaisedCritique, rounds: Round[], now: AgentOutput): ClaimChange {
  const raised = rounds.find((one) => one.round === critique.round);
  if (!raised) return "none";
  const before = outputOf(raised, critique.target);
  const claim = claimOf(before, critique.target_claim_id);
  // The same words under another id are no change.
  if (critique.target_claim_id !== null) {
    const after =
      claimOf(now, critique.target_claim_id) ?? now.claims.find((one) => claim && isSameClaim(one, claim)) ?? null;
    const change = compareClaims(claim, after);
    return change === "content" && claim && after && isReordered(claim, after) ? "none" : change;
  }
  const rests = ({ claims }: AgentOutput): number =>
    claims.filter(({ evidence }) => evidence.some((id) => critique.evidence.includes(id))).length;
  return rests(now) > rests(before) ? "added" : "none";
}

/** True when two claims have the same content words, sources and assumptions, in whatever order. */
function isReordered(before: Claim, after: Claim): boolean {
  const write = ({ evidence, assumptions }: Claim): string =>
    JSON.stringify([evidence.toSorted(), assumptions.toSorted()]);
  return hasSameWords(before.statement, after.statement) && write(before) === write(after);
}

/** A smaller drop in confidence answers no critique. */
const leastDoubt = 0.1;

export function compareClaims(before: Claim | null, after: Claim | null): ClaimChange {
  if (!before) return "none";
  if (!after) return "removed";
  const plain = (text: string): string =>
    text
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, " ")
      .trim();
  const write = ({ statement, evidence, assumptions }: Claim): string =>
    JSON.stringify([plain(statement), evidence.toSorted(), assumptions.map(plain).toSorted()]);
  if (write(before) !== write(after)) return "content";
  return before.confidence - after.confidence >= leastDoubt ? "less_confident" : "none";
}

function isAccording(change: ClaimChange, { issue_type }: RaisedCritique): boolean {
  if (change === "less_confident") return issue_type === "overclaim" || issue_type === "evidence_gap";
  return change !== "none";
}
