import { noCost, type WorstCase } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import { turnIdOf } from "../contract/turn.ts";
import type { Player, TurnContext } from "../engine/player.ts";
import type { CastOf } from "../runs/start/start-run.ts";
import type { Spending } from "../store/store.ts";

/** The budget of a batch or a study, which all its runs draw on. */
export const budgetOfBatch = (batch: string): string => `batch ${batch}`;

/** Budgets that the runs of all processes on a store draw on. */
export class SharedBudgets {
  readonly #spending: Spending;
  readonly #settling = new Set<Promise<void>>();

  constructor(spending: Spending) {
    this.#spending = spending;
  }

  /** Makes players that draw on these budgets before each call; one that has no limits when a run begins does not limit it. */
  limit(castOf: CastOf, names: readonly string[]): CastOf {
    return async (text, roles, limits) => {
      const cast = await castOf(text, roles, limits);
      const limited = await this.#spending.limited(names);
      return limited.length === 0 ? cast : (roleName) => this.#wrap(cast(roleName), limited);
    };
  }

  /** Resolves when what calls cost is written down. */
  async idle(): Promise<void> {
    await Promise.all(this.#settling);
  }

  #wrap(player: Player, names: readonly string[]): Player {
    return {
      ...player,
      play: (role, input, turn) =>
        player.play(role, input, { ...turn, reserve: (worst) => this.#reserve(turn, names, worst) }),
    };
  }

  async #reserve(turn: TurnContext, names: readonly string[], worst: WorstCase) {
    const reserved = await this.#spending.reserve(names, worst);
    if (!("charged" in reserved)) {
      const { name, limit, needed, left } = reserved;
      const need = needed === null ? "a call of unknown price" : `up to ${needed}`;
      throw new ParleyError(
        "budget_exhausted",
        `${turnIdOf(turn.key)} would pass the ${limit} limit of ${name}: needs ${need}, ${Math.max(0, left)} left`,
      );
    }
    const settle = (spent: WorstCase): void => this.#settle(reserved.charged, worst, spent);
    const own = await turn.reserve(worst).catch((error: unknown) => {
      settle(noCost);
      throw error;
    });
    return {
      settle(spent: WorstCase) {
        settle(spent);
        own.settle(spent);
      },
    };
  }

  /** What is never settled counts as spent: also when the store is away at the end of a call. */
  #settle(charged: readonly string[], worst: WorstCase, spent: WorstCase): void {
    const one = this.#spending
      .settle(charged, worst, spent)
      .catch(() => undefined)
      .finally(() => this.#settling.delete(one));
    this.#settling.add(one);
  }
}
