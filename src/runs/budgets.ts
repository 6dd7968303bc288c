import { type Budget, noCost, type WorstCase } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import { turnIdOf } from "../contract/turn.ts";
import { createMeter } from "../engine/budget.ts";
import type { Player, Reservation, TurnContext } from "../engine/player.ts";
import type { Spending } from "../store/store.ts";
import type { CastOf } from "./start.ts";

/** A budget above a run's own: a file of cases, a study, a day, or a fleet. Each call is reserved at every level, from the widest down to the run. */
type BudgetLevel = {
  /** A USD limit, so that models without a known price are refused from the start. */
  usd?: number | undefined;
  open?(): Promise<BudgetLevel | null>;
  reserve(turn: string, worst: WorstCase): Promise<LevelReservation>;
};

type LevelReservation = {
  settle(spent: WorstCase): void;
  release(): void;
};

export function withBudgets(castOf: CastOf, levels: readonly BudgetLevel[]): CastOf {
  if (levels.length === 0) return castOf;
  return async (text, roles, limits) => {
    const usd = levels.map((level) => level.usd).find((limit) => limit !== undefined);
    const cast = await castOf(text, roles, { ...limits, usd: limits.usd ?? usd });
    const opened = await Promise.all(levels.map(async (level) => (level.open ? level.open() : level)));
    const open = opened.filter((level) => level !== null);
    return open.length === 0 ? cast : (roleName) => drawOn(cast(roleName), open);
  };
}

function drawOn(player: Player, levels: readonly BudgetLevel[]): Player {
  return {
    ...player,
    async play(role, input, turn) {
      let last: LevelReservation[] = [];
      const release = (): void => {
        for (const one of last.splice(0)) one.release();
      };
      const own: BudgetLevel = {
        reserve: async (_, worst) => ({ ...(await turn.reserve(worst)), release: () => undefined }),
      };
      const reserve = async (worst: WorstCase): Promise<Reservation> => {
        // A player that calls again has given up on its last call.
        release();
        const held = await reserveAll([...levels, own], turn, worst);
        last = [...held];
        return {
          settle(spent) {
            for (const one of held) {
              one.settle(spent);
              one.release();
            }
          },
        };
      };
      try {
        return await player.play(role, input, { ...turn, reserve });
      } finally {
        release();
      }
    },
  };
}

async function reserveAll(levels: readonly BudgetLevel[], turn: TurnContext, worst: WorstCase) {
  const held: LevelReservation[] = [];
  try {
    for (const level of levels) held.push(await level.reserve(turnIdOf(turn.key), worst));
    return held;
  } catch (error) {
    for (const one of held) {
      one.settle(noCost);
      one.release();
    }
    throw error;
  }
}

export type MeteredLevel = BudgetLevel & {
  carry(spent: WorstCase): void;
  isSpent(): boolean;
};

/**
 * Opens a level kept by this process. Most of a reservation is given back, so a call that does not fit beside those
 * in flight waits for them, and is refused only if it would not fit alone.
 */
export function openMeteredLevel(budget: Budget, of: string): MeteredLevel {
  const startedMs = performance.now();
  const elapsedMs = (): number => performance.now() - startedMs;
  const meter = createMeter(budget, elapsedMs);
  let inFlight = 0;
  let isSpent = false;
  let waiting: (() => void)[] = [];
  const endCall = (): void => {
    inFlight -= 1;
    for (const wake of waiting.splice(0)) wake();
  };
  return {
    usd: budget.usd,
    async reserve(turn, worst) {
      for (;;)
        try {
          const settle = meter.reserve(`${turn} (of the whole ${of})`, worst);
          inFlight += 1;
          let isOpen = true;
          return {
            settle,
            release() {
              if (isOpen) endCall();
              isOpen = false;
            },
          };
        } catch (error) {
          if (!hasCode(error, "budget_exhausted") || inFlight === 0) {
            isSpent ||= hasCode(error, "budget_exhausted");
            throw error;
          }
          await new Promise<void>((wake) => (waiting = [...waiting, wake]));
        }
    },
    carry: (spent) => meter.carry(spent, noCost),
    isSpent: () => isSpent || (budget.wallMs !== undefined && elapsedMs() >= budget.wallMs),
  };
}

export const budgetOfBatch = (batch: string): string => `batch ${batch}`;

/** Levels kept in the store and shared by all its processes. */
export class StoredBudgets {
  readonly #spending: Spending;
  readonly #settling = new Set<Promise<void>>();

  constructor(spending: Spending) {
    this.#spending = spending;
  }

  level(names: readonly string[]): BudgetLevel {
    return {
      open: async () => {
        const limited = await this.#spending.limited(names);
        return limited.length === 0 ? null : this.level(limited);
      },
      reserve: (turn, worst) => this.#reserve(turn, names, worst),
    };
  }

  async idle(): Promise<void> {
    await Promise.all(this.#settling);
  }

  async #reserve(turn: string, names: readonly string[], worst: WorstCase): Promise<LevelReservation> {
    const reserved = await this.#spending.reserve(names, worst);
    if (!("charged" in reserved)) {
      const { name, limit, needed, left } = reserved;
      const need = needed === null ? "a call of unknown price" : `up to ${needed}`;
      throw new ParleyError(
        "budget_exhausted",
        `${turn} would exceed the ${limit} limit of ${name}: needs ${need}, ${Math.max(0, left)} left`,
      );
    }
    return { settle: (spent) => this.#settle(reserved.charged, worst, spent), release: () => undefined };
  }

  /** Unsettled reservations count as spent, even when the store is unreachable at the end of a call. */
  #settle(charged: readonly string[], worst: WorstCase, spent: WorstCase): void {
    const one = this.#spending
      .settle(charged, worst, spent)
      .catch(() => undefined)
      .finally(() => this.#settling.delete(one));
    this.#settling.add(one);
  }
}
