import type { Quorum } from "../contract/result.ts";
import type { Turn } from "../contract/turn.ts";

/** Counts what became of the turns that were asked. */
export function countQuorum(turns: readonly Turn[]): Quorum {
  const answered = turns.filter((turn) => turn.status !== "abstained");
  return {
    asked: turns.length,
    answered: answered.length,
    repaired: answered.filter((turn) => turn.attempts.length > 1).length,
    abstained: turns.length - answered.length,
  };
}
