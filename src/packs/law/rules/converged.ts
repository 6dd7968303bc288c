import { dice } from "../../../text/similar.ts";
import { stemTokens } from "../../../text/stem-indonesian.ts";
import type { DebateSummary, Round } from "../schemas/decision.ts";
import { critiqueStatus, isSerious, isUnsettled, type RaisedCritique } from "./critique-status.ts";

type Said = { answer: string; claims: { statement: string }[] };

/** How much an answer and its claims changed, 0..1 (law spec §4.3): 1 − Dice over stemmed token multisets. */
export function answerChange(before: Said, after: Said): number {
  const [a, b] = [before, after].map(({ answer, claims }) =>
    stemTokens([answer, ...claims.map(({ statement }) => statement)].join("\n")),
  ) as [string[], string[]];
  return 1 - dice(a, b, 1);
}

export type ConvergenceConfig = { rounds?: number; max_rounds?: number; stability?: { threshold?: number } };

/** 1: at most one open MAJOR; 2: no domain conflict is open; 3: both answers are stable (law spec §4.2). */
export type Convergence = DebateSummary["convergence"];

const maxOpenMajor = 1;
const defaultThreshold = 0.15;
const firstEnd = 2;

/** True when the debate may end: from round 2 on, without an open CRITICAL, if any of three conditions holds. */
export function converged(
  rounds: Round[],
  { rounds: planned = firstEnd, stability }: ConvergenceConfig = {},
): Convergence {
  const numbers = countNumbers(rounds);
  const { open_critical, open_major, domain_conflicts_raised, domain_conflicts_open, answer_change } = numbers;
  const isStable = answer_change !== null && answer_change < (stability?.threshold ?? defaultThreshold);
  const findCondition = (): 1 | 2 | 3 | null => {
    if (numbers.round < firstEnd || open_critical > 0) return null;
    if (open_major <= maxOpenMajor) return 1;
    if (domain_conflicts_raised > 0 && domain_conflicts_open === 0) return 2;
    return numbers.round >= planned && isStable ? 3 : null;
  };
  const condition = findCondition();
  return { met: condition !== null, condition, numbers };
}

function countNumbers(rounds: Round[]) {
  const statuses = critiqueStatus(rounds).filter(({ status }) => status !== "ungrounded");
  const open = statuses.filter(isUnsettled).map(({ critique }) => critique);
  const count = (severity: string): number => open.filter((one) => one.severity === severity).length;
  const [before, after] = rounds.slice(-2);
  const [nla, ala] =
    before && after ? [answerChange(before.nla, after.nla), answerChange(before.ala, after.ala)] : [null, null];
  return {
    round: rounds.at(-1)?.round ?? 0,
    open_critical: count("CRITICAL"),
    open_major: count("MAJOR"),
    open_minor: count("MINOR"),
    contested: statuses.filter(({ status }) => status === "contested").length,
    domain_conflicts_raised: statuses.filter(({ critique }) => isDomainConflict(critique)).length,
    domain_conflicts_open: open.filter(isDomainConflict).length,
    answer_change_nla: nla,
    answer_change_ala: ala,
    answer_change: nla === null || ala === null ? null : Math.max(nla, ala),
  };
}

/** True when a serious critique could still be answered by a revision, which it must get before it defeats a claim. */
export function hasUnanswered(rounds: Round[]): boolean {
  return critiqueStatus(rounds).some((one) => one.status === "unanswered" && isSerious(one));
}

/** A serious clash between the two laws, or the wrong one applied. */
export function isDomainConflict({ issue_type, severity }: RaisedCritique): boolean {
  return (issue_type === "conflict" || issue_type === "domain_mismatch") && severity !== "MINOR";
}
