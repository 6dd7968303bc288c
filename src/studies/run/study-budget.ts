import type { Budget, Spend, WorstCase } from "../../contract/budget.ts";
import { hasCode } from "../../contract/error.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { createMeter, sumWorstCases } from "../../engine/budget.ts";
import type { Player, TurnContext } from "../../engine/player.ts";
import { recall } from "../../engine/journal.ts";
import type { CastOf } from "../../runs/start/start-run.ts";
import type { Store } from "../../store/store.ts";

/** The purse that all runs of a study share: each call is set aside here too before it is made. */
export type StudyBudget = {
  castOf: CastOf;
  /** True once a call was refused: no further run is worth starting. */
  exhausted(): boolean;
  spend(): Spend;
};

const nothing: WorstCase = { calls: 0, tokens: 0, usd: 0 };

/** Wraps casts so that their calls draw on the study's budget; what earlier sessions spent or lost counts. */
export async function openStudyBudget(
  budget: Budget,
  castOf: CastOf,
  store: Store,
  batch: string,
): Promise<StudyBudget> {
  const startedMs = performance.now();
  const meter = createMeter(budget, () => performance.now() - startedMs);
  let refused = false;
  if (Object.keys(budget).length > 0) {
    const { spent, lost } = await sumEarlier(store, batch);
    meter.carry(spent, lost);
  }
  const reserve = async (turn: TurnContext, worst: WorstCase) => {
    const settle = takeFrom(
      () => meter.reserve(turnIdOf(turn.key), worst),
      () => (refused = true),
    );
    try {
      const own = await turn.reserve(worst);
      return {
        settle(spent: WorstCase) {
          settle(spent);
          own.settle(spent);
        },
      };
    } catch (error) {
      settle(nothing);
      throw error;
    }
  };
  const wrap = (player: Player): Player => ({
    id: player.id,
    play: (role, input, turn) => player.play(role, input, { ...turn, reserve: (worst) => reserve(turn, worst) }),
  });
  return {
    castOf: async (text, roles, limits) => {
      const cast = await castOf(
        text,
        roles,
        budget.usd === undefined ? limits : { ...limits, usd: limits.usd ?? budget.usd },
      );
      return (roleName) => wrap(cast(roleName));
    },
    exhausted: () => refused,
    spend: meter.spend,
  };
}

function takeFrom<T>(take: () => T, onRefused: () => void): T {
  try {
    return take();
  } catch (error) {
    if (hasCode(error, "budget_exhausted")) onRefused();
    throw error;
  }
}

/** What earlier sessions spent on the runs of a batch, and what they lost in calls that died with them. */
export async function sumEarlier(store: Store, batch: string): Promise<{ spent: WorstCase; lost: WorstCase }> {
  const past = { spent: nothing, lost: nothing };
  for (const run of await store.list({ batch })) {
    const { spent, lost } = recall((await store.journal(run.id)).entries);
    past.spent = sumWorstCases([past.spent, spent]);
    past.lost = sumWorstCases([past.lost, lost]);
  }
  return past;
}
