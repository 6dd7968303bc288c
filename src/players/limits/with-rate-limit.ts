import { noCost } from "../../contract/budget.ts";
import type { Player } from "../../engine/player.ts";
import { factsOf } from "../calls/failure-facts.ts";
import type { CallEnd, RateLimiter, Slot } from "./rate-limiter.ts";

/** Statuses with which an endpoint says that it is asked too much. */
const throttling = new Set([429, 529]);

/** Waits for a place at the endpoint before each call; the call's reservation tells how many tokens it may use. */
export function withRateLimit(player: Player, limiter: RateLimiter): Player {
  return {
    id: player.id,
    async play(role, input, turn) {
      let slot: Slot | null = null;
      const reserve: typeof turn.reserve = async (worst) => {
        slot?.release("ok");
        const own = await limiter.acquire(worst.tokens, turn.signal);
        slot = own;
        const reservation = await turn.reserve(worst).catch((refusal: unknown) => {
          own.settle(0);
          throw refusal;
        });
        // Between the place and the call the reservation was written down, which may take any time.
        await own.leave(turn.signal).catch((error: unknown) => {
          reservation.settle(noCost);
          throw error;
        });
        return {
          settle: (spent) => {
            own.settle(spent.tokens);
            reservation.settle(spent);
          },
        };
      };
      const release = (end: CallEnd, pauseMs = 0): void => slot?.release(end, pauseMs);
      try {
        const played = await player.play(role, input, { ...turn, reserve });
        release("ok");
        return played;
      } catch (error) {
        const { status = null, retryAfterMs = null } = factsOf(error) ?? {};
        const throttled = status !== null && throttling.has(status);
        const pauseMs = retryAfterMs !== null && retryAfterMs <= maxPauseMs ? retryAfterMs : 0;
        release(throttled ? "throttled" : "failed", pauseMs);
        throw error;
      }
    },
  };
}

/** For longer the others are not held up: `withRetry` gives up on the call that was told so, and says how long it was. */
const maxPauseMs = 120_000;
