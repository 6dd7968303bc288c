import type { Finding } from "../clues/finding.ts";
import type { Suspect } from "./rank-suspects.ts";

/** How well "no fault in these logs" stands: what speaks for it and how much of the trouble stays unexplained. */
export type NoFault = { score: number; unexplained: number; endedWell: boolean; findings: Finding[] };

/**
 * The rule for `none` (root-cause spec §4.6): routine messages explain themselves; the score falls with the share of
 * trouble that nothing routine explains, which is how well the best suspect stands.
 */
export function weighNoFault(findings: readonly Finding[], suspects: readonly Suspect[], steady: boolean): NoFault {
  const routine = findings.filter(({ role }) => role === "routine");
  const recovery = findings.filter(({ role }) => role === "recovery");
  const endedWell = recovery.length > 0;
  const trouble = findings.filter(({ role }) => role === "cause" || role === "symptom");
  const quiet = trouble.length === 0;
  const unexplained = suspects[0]?.score ?? 0;
  const calm = 0.45 + (endedWell ? 0.2 : 0) + (routine.length > 0 ? 0.1 : 0) + (quiet ? 0.2 : 0) + (steady ? 0.15 : 0);
  return {
    score: Math.min(0.95, calm) * (1 - unexplained),
    unexplained,
    endedWell,
    findings: [...recovery, ...routine],
  };
}
