import { setTimeout as wait } from "node:timers/promises";
import { ParleyError } from "../../contract/error.ts";
import { turnIdOf } from "../../contract/turn.ts";
import { noUsage } from "../../contract/usage.ts";
import type { Player } from "../../engine/player.ts";
import { throwIfInterrupted } from "../calls/interruption.ts";
import { choosePosition, drawLots } from "./choose-position.ts";
import { type SyntheticSettings, writeSyntheticSettings } from "./settings.ts";

/** A speaker of known quality: it chooses among the answers that its role can give, by lot, as its settings say. For trying protocols. */
export function syntheticPlayer(settings: SyntheticSettings): Player {
  return {
    id: `synthetic(${writeSyntheticSettings(settings)})`,
    async play(role, input, turn) {
      throwIfInterrupted(turn.signal);
      const positions = role.experiment?.positions?.(input) ?? null;
      if (positions === null)
        throw new ParleyError(
          "bad_cast",
          `${turnIdOf(turn.key)}: a synthetic speaker needs a role that can say which answers there are, such as a question with choices`,
        );
      await turn
        .reserve({ calls: 1, tokens: 0, usd: 0 })
        .then((place) => place.settle({ calls: 1, tokens: 0, usd: 0 }));
      if (settings.latency > 0)
        await wait(settings.latency, undefined, { signal: turn.signal }).catch(() => throwIfInterrupted(turn.signal));
      const chosen = choosePosition(settings, positions, drawLots(turn.seed, positions.about));
      const value = chosen === null ? null : positions.say(chosen.answer, chosen.confidence);
      return { reply: { value }, usage: { ...noUsage, calls: 1 }, finish: null, final: true };
    },
  };
}
