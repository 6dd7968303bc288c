import type { Budget, WorstCase } from "../../contract/budget.ts";
import { ParleyError } from "../../contract/error.ts";
import { turnIdOf } from "../../contract/turn.ts";
import type { Player, TurnContext } from "../../engine/player.ts";
import type { CastOf } from "../../runs/start/start-run.ts";
import type { Database } from "../../store/postgres/database.ts";

/** Budgets that all workers share, kept in the database. */
export type SharedPurses = {
  /** Sets the limits of a purse; without any there is no purse. What was spent stays; `spent` is what a new one begins with. */
  setLimits(purse: string, budget: Budget, spent?: WorstCase): Promise<void>;
  /** Makes players that draw on these purses before each call; a purse that has no limits when a run begins does not limit it. */
  limit(castOf: CastOf, purses: readonly string[]): CastOf;
  /** Resolves when what calls cost is written down. */
  idle(): Promise<void>;
};

/** The purse of all runs of a day, and that of a batch or a study. */
export const dayPurse = "day";
export const purseOfBatch = (batch: string): string => `batch ${batch}`;

type Reserved = { charged: string[] } | { purse: string; limit: string; needed: number | null; left: number };

export function createSharedPurses({ run, persist }: Database): SharedPurses {
  const settling = new Set<Promise<unknown>>();
  /** What is never settled counts as spent: also when the database is away at the end of a call. */
  const settle = (charged: string[], { calls, tokens, usd }: WorstCase): void => {
    const one = persist(() => run("SELECT settle_spend($1, $2, $3, $4)", [charged, calls, tokens, usd ?? 0]))
      .catch(() => undefined)
      .finally(() => settling.delete(one));
    settling.add(one);
  };
  const reserve = async (purses: readonly string[], turn: TurnContext, worst: WorstCase): Promise<string[]> => {
    const rows = await persist(() =>
      run<{ reserved: Reserved }>("SELECT reserve_spend($1, $2, $3, $4) AS reserved", [
        purses,
        worst.calls,
        worst.tokens,
        worst.usd,
      ]),
    );
    const reserved = rows[0]?.reserved ?? { charged: [] };
    if ("charged" in reserved) return reserved.charged;
    const { purse, limit, needed, left } = reserved;
    const need = needed === null ? "a call of unknown price" : `up to ${needed}`;
    throw new ParleyError(
      "budget_exhausted",
      `${turnIdOf(turn.key)} would pass the ${limit} limit of ${purse}: needs ${need}, ${Math.max(0, left)} left`,
    );
  };
  const wrap = (player: Player, purses: readonly string[]): Player => ({
    ...player,
    play: (role, input, turn) =>
      player.play(role, input, {
        ...turn,
        async reserve(worst) {
          const charged = await reserve(purses, turn, worst);
          const replace = (spent: WorstCase): void => settle(charged, subtract(spent, worst));
          const own = await turn.reserve(worst).catch((error: unknown) => {
            replace({ calls: 0, tokens: 0, usd: 0 });
            throw error;
          });
          return {
            settle(spent) {
              replace(spent);
              own.settle(spent);
            },
          };
        },
      }),
  });
  return {
    async setLimits(purse, { calls, tokens, usd }, spent) {
      if (spent)
        await persist(() =>
          run("INSERT INTO spent (name, calls, tokens, usd) VALUES ($1, $2, $3, $4) ON CONFLICT DO NOTHING", [
            purse,
            spent.calls,
            spent.tokens,
            spent.usd ?? 0,
          ]),
        );
      const limits = [calls ?? null, tokens ?? null, usd ?? null];
      await persist(() =>
        limits.every((limit) => limit === null)
          ? run("DELETE FROM purses WHERE name = $1", [purse])
          : run(
              `INSERT INTO purses (name, calls, tokens, usd) VALUES ($1, $2, $3, $4) ON CONFLICT (name) DO UPDATE
                SET calls = excluded.calls, tokens = excluded.tokens, usd = excluded.usd`,
              [purse, ...limits],
            ),
      );
    },
    limit: (castOf, names) => async (text, roles, budget) => {
      const cast = await castOf(text, roles, budget);
      const rows = await persist(() => run<{ name: string }>("SELECT name FROM purses WHERE name = ANY($1)", [names]));
      const purses = rows.map(({ name }) => name);
      return purses.length === 0 ? cast : (roleName) => wrap(cast(roleName), purses);
    },
    idle: async () => void (await Promise.all(settling)),
  };
}

function subtract(spent: WorstCase, worst: WorstCase): WorstCase {
  return {
    calls: spent.calls - worst.calls,
    tokens: spent.tokens - worst.tokens,
    usd: (spent.usd ?? worst.usd ?? 0) - (worst.usd ?? 0),
  };
}
