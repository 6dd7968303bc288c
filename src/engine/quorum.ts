import type { Quorum } from "../contract/result.ts";
import type { Turn } from "../contract/turn.ts";

/** Counts what became of the turns that were asked. */
export function countQuorum(turns: readonly Turn[]): Quorum {
  const count = (...statuses: string[]): number => turns.filter((turn) => statuses.includes(turn.status)).length;
  return {
    asked: turns.length,
    answered: count("answered", "repaired", "salvaged"),
    repaired: turns.filter((turn) => turn.attempts.length > 1 && turn.status !== "abstained").length,
    abstained: count("abstained"),
  };
}
