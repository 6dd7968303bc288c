import type { Player } from "../engine/player.ts";
import { factsOf } from "./model/endpoint-failure.ts";
import type { RateLimiter, Slot } from "./rate-limiter.ts";

/** Statuses with which an endpoint says that it gets too much. */
const throttling = new Set([429, 529]);

/** Waits for a place at the endpoint before each call; the call's reservation tells how many tokens it may use. */
export function withRateLimit(player: Player, limiter: RateLimiter): Player {
  return {
    id: player.id,
    async play(role, input, turn) {
      let slot: Slot | null = null;
      const reserve: typeof turn.reserve = async (worst) => {
        slot?.release({ throttled: false });
        const own = await limiter.acquire(worst.tokens, turn.signal);
        slot = own;
        const reservation = await turn.reserve(worst);
        return {
          settle: (spent) => {
            own.settle(spent.tokens);
            reservation.settle(spent);
          },
        };
      };
      let throttled = false;
      let pauseMs = 0;
      try {
        return await player.play(role, input, { ...turn, reserve });
      } catch (error) {
        const facts = factsOf(error);
        throttled = facts?.status != null && throttling.has(facts.status);
        pauseMs = Math.min(facts?.retryAfterMs ?? 0, maxPauseMs);
        throw error;
      } finally {
        (slot as Slot | null)?.release({ throttled, pauseMs });
      }
    },
  };
}

/** Longer waits are for the caller to decide: `withRetry` gives up instead. */
const maxPauseMs = 120_000;
