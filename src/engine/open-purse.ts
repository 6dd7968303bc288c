import type { WorstCase } from "../contract/budget.ts";
import { type TurnKey, turnIdOf } from "../contract/turn.ts";
import { breathe } from "./breathe.ts";
import type { JournalWriter } from "./journal.ts";
import type { Meter } from "./meter.ts";
import type { Reservation } from "./player.ts";
import { sumWorstCases } from "./sum-worst-cases.ts";

/** The reservations of one attempt, and what they came to. */
export type Purse = { reserve(worst: WorstCase): Promise<Reservation>; spent(): WorstCase };

/** Whose attempt it is; one that is repeatable costs nothing and comes to the same when it is made again. */
export type Attempted = { turn: TurnKey; number: number; isRepeatable: boolean };

/**
 * Opens the purse of an attempt. A paid call is written down before it is made; before any call that cannot be repeated,
 * everything so far is durable.
 */
export function openPurse(
  { meter, writer }: { meter: Meter; writer: JournalWriter },
  { turn, number: attempt, isRepeatable }: Attempted,
): Purse {
  const held: WorstCase[] = [];
  return {
    async reserve(worst) {
      const settle = meter.reserve(turnIdOf(turn), worst);
      const index = held.push(worst) - 1;
      if (worst.tokens > 0) await writer.write({ kind: "call", turn, attempt, worst });
      else if (isRepeatable) await breathe();
      else await writer.done();
      return {
        settle: (spent) => {
          held[index] = settle(spent);
        },
      };
    },
    spent: () => sumWorstCases(held),
  };
}
