import type { WorstCase } from "../../contract/budget.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { createMeter, type Meter } from "../../engine/budget.ts";
import type { Player, TurnContext } from "../../engine/player.ts";
import type { CastOf } from "../../runs/start/start-run.ts";
import type { Desk } from "../../store/desk/desk.ts";

const nothing: WorstCase = { calls: 0, tokens: 0, usd: 0 };

/** Wraps casts so that all calls of a day draw on one limit, whoever asked for them; what was spent outlives the process. */
export function limitDay(castOf: CastOf, desk: Desk, usdPerDay: number | null, now: () => Date): CastOf {
  if (usdPerDay === null) return castOf;
  let today: { day: string; meter: Meter } | null = null;
  const meterOf = (day: string): Meter => {
    if (today?.day !== day) {
      const meter = createMeter({ usd: usdPerDay }, () => 0);
      meter.carry({ ...nothing, usd: desk.spentOn(day) }, nothing);
      today = { day, meter };
    }
    return today.meter;
  };
  const reserve = async (turn: TurnContext, worst: WorstCase) => {
    const day = now().toISOString().slice(0, 10);
    const meter = meterOf(day);
    const settle = meter.reserve(`${turnIdOf(turn.key)} (all runs of ${day})`, worst);
    const keep = (spent: WorstCase): void => {
      settle(spent);
      desk.spend(day, meter.spend().usd ?? usdPerDay);
    };
    desk.spend(day, meter.spend().usd ?? usdPerDay);
    const own = await turn.reserve(worst).catch((error: unknown) => {
      keep(nothing);
      throw error;
    });
    return {
      settle(spent: WorstCase) {
        keep(spent);
        own.settle(spent);
      },
    };
  };
  const wrap = (player: Player): Player => ({
    ...player,
    play: (role, input, turn) => player.play(role, input, { ...turn, reserve: (worst) => reserve(turn, worst) }),
  });
  return async (text, roles, limits) => {
    const cast = await castOf(text, roles, { ...limits, usd: limits.usd ?? usdPerDay });
    return (roleName) => wrap(cast(roleName));
  };
}
