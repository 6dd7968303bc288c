import type { Budget, WorstCase } from "../../contract/budget.ts";
import { hasCode } from "../../contract/error.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { createMeter } from "../../engine/budget.ts";
import type { Player, Reservation, TurnContext } from "../../engine/player.ts";
import type { CastOf } from "../start/start-run.ts";

/** One budget that all cases of a batch draw on. */
export type BatchPurse = {
  /** Casts whose calls draw on the purse before they draw on their own run's budget. */
  castOf: CastOf;
  /** Counts what earlier sessions of this batch spent. */
  carry(spent: WorstCase): void;
  /** True once a call did not fit, or the time is up: no further case is begun. */
  isSpent(): boolean;
};

/** A call that is being made: what it set aside, until it is known what it cost. */
type Held = { isOpen: boolean };

/**
 * Opens the purse of a batch. What calls in flight have set aside is mostly given back, so a call that does not fit
 * beside them waits for them, and is refused only when it would not fit alone.
 */
export function openBatchPurse(castOf: CastOf, budget: Budget, elapsedMs: () => number): BatchPurse {
  const meter = createMeter(budget, elapsedMs);
  let inFlight = 0;
  let isSpent = false;
  let waiting: (() => void)[] = [];
  const release = (held: Held): void => {
    if (!held.isOpen) return;
    held.isOpen = false;
    inFlight -= 1;
    for (const wake of waiting.splice(0)) wake();
  };
  const reserve = async (
    turn: TurnContext,
    worst: WorstCase,
  ): Promise<{ held: Held; settle(spent: WorstCase): void }> => {
    for (;;)
      try {
        const settle = meter.reserve(`${turnIdOf(turn.key)} (of the whole batch)`, worst);
        inFlight += 1;
        return { held: { isOpen: true }, settle };
      } catch (error) {
        if (!hasCode(error, "budget_exhausted") || inFlight === 0) {
          isSpent ||= hasCode(error, "budget_exhausted");
          throw error;
        }
        await new Promise<void>((wake) => (waiting = [...waiting, wake]));
      }
  };
  const wrap = (player: Player): Player => ({
    ...player,
    async play(role, input, turn) {
      let last: Held | null = null;
      const reserveBoth = async (worst: WorstCase): Promise<Reservation> => {
        // A player that calls again has given up on its last call, settled or not.
        if (last) release(last);
        const { held, settle } = await reserve(turn, worst);
        last = held;
        const own = await turn.reserve(worst).catch((error: unknown) => {
          settle(nothing);
          release(held);
          throw error;
        });
        return {
          settle(spent) {
            settle(spent);
            release(held);
            own.settle(spent);
          },
        };
      };
      try {
        return await player.play(role, input, { ...turn, reserve: reserveBoth });
      } finally {
        if (last) release(last);
      }
    },
  });
  return {
    castOf: async (text, roles, limits) => {
      const cast = await castOf(text, roles, { ...limits, usd: limits.usd ?? budget.usd });
      return (roleName) => wrap(cast(roleName));
    },
    carry: (spent) => meter.carry(spent, nothing),
    isSpent: () => isSpent || (budget.wallMs !== undefined && elapsedMs() >= budget.wallMs),
  };
}

const nothing: WorstCase = { calls: 0, tokens: 0, usd: 0 };
