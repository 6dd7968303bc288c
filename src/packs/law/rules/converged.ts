import type { Round } from "../schemas/round.ts";
import { answerChange, type StabilityMetric } from "./answer-change.ts";
import { critiqueStatus, isUnsettled, type RaisedCritique } from "./critique-status.ts";

export type ConvergenceConfig = {
  /** Before this round, answers that no longer change do not end the debate. */
  rounds?: number;
  stability?: { metric?: StabilityMetric; threshold?: number };
};

/** What convergence was judged on; the changes are null before there is a revision. */
export type ConvergenceNumbers = {
  round: number;
  open_critical: number;
  open_major: number;
  open_minor: number;
  /** How many of those above are contested: rejected on evidence, their critic has not spoken yet. */
  contested: number;
  domain_conflicts_raised: number;
  domain_conflicts_open: number;
  answer_change_nla: number | null;
  answer_change_ala: number | null;
  answer_change: number | null;
};

/** 1: open MAJOR ≤ 1; 2: of the domain conflicts raised none is open; 3: both answers are stable (law spec §4.2). */
export type Convergence = { met: boolean; condition: 1 | 2 | 3 | null; numbers: ConvergenceNumbers };

/** With this many open MAJOR critiques or fewer, a debate may end. */
export const maxOpenMajor = 1;

/** An answer that changed less than this is stable. */
export const defaultThreshold = 0.15;

/** The round before which a debate never ends. */
const firstEnd = 2;

/**
 * Whether the debate may end (law spec §4.2): from round 2 on, never over an open CRITICAL, else by any one of three
 * conditions; stable answers alone end it only after the planned rounds.
 */
export function converged(rounds: Round[], config: ConvergenceConfig = {}): Convergence {
  const numbers = countNumbers(rounds, config.stability?.metric ?? "token");
  const condition = findCondition(numbers, config);
  return { met: condition !== null, condition, numbers };
}

function findCondition(numbers: ConvergenceNumbers, config: ConvergenceConfig): Convergence["condition"] {
  if (numbers.round < firstEnd || numbers.open_critical > 0) return null;
  if (numbers.open_major <= maxOpenMajor) return 1;
  if (numbers.domain_conflicts_raised > 0 && numbers.domain_conflicts_open === 0) return 2;
  return numbers.round >= (config.rounds ?? firstEnd) && isStable(numbers, config) ? 3 : null;
}

function isStable({ answer_change }: ConvergenceNumbers, { stability }: ConvergenceConfig): boolean {
  return answer_change !== null && answer_change < (stability?.threshold ?? defaultThreshold);
}

function countNumbers(rounds: Round[], metric: StabilityMetric): ConvergenceNumbers {
  const statuses = critiqueStatus(rounds);
  const open = statuses.filter(isUnsettled).map(({ critique }) => critique);
  const conflicts = statuses.map(({ critique }) => critique).filter(isDomainConflict);
  const [before, after] = rounds.slice(-2);
  const changes =
    before && after ? [answerChange(before.nla, after.nla, metric), answerChange(before.ala, after.ala, metric)] : [];
  const [nla = null, ala = null] = changes;
  return {
    round: rounds.at(-1)?.round ?? 0,
    open_critical: open.filter(({ severity }) => severity === "CRITICAL").length,
    open_major: open.filter(({ severity }) => severity === "MAJOR").length,
    open_minor: open.filter(({ severity }) => severity === "MINOR").length,
    contested: statuses.filter(({ status }) => status === "contested").length,
    domain_conflicts_raised: conflicts.length,
    domain_conflicts_open: open.filter(isDomainConflict).length,
    answer_change_nla: nla,
    answer_change_ala: ala,
    answer_change: nla === null || ala === null ? null : Math.max(nla, ala),
  };
}

/** Whether the critics must speak before convergence is judged: a critique above MINOR was rejected on evidence (law spec §4.1). */
export function hasContested(rounds: Round[]): boolean {
  return critiqueStatus(rounds).some(({ status, critique }) => status === "contested" && critique.severity !== "MINOR");
}

/** A clash between the two laws, or the wrong one applied, that matters. */
export function isDomainConflict(critique: RaisedCritique): boolean {
  const { issue_type, severity } = critique;
  return (issue_type === "conflict" || issue_type === "domain_mismatch") && severity !== "MINOR";
}
