import type { Player } from "../../src/engine/player.ts";
import { expertPlayer } from "../../src/players/offline-players.ts";
import type { CastOf } from "../../src/runs/start.ts";

/** A player whose every turn takes a call from the budget, as a model's does. */
export function payingPlayer(player: Player = expertPlayer()): Player {
  return {
    ...player,
    async play(role, input, turn) {
      const reservation = await turn.reserve({ calls: 1, tokens: 0, usd: 0 });
      reservation.settle({ calls: 1, tokens: 0, usd: 0 });
      return player.play(role, input, turn);
    },
  };
}

/** Casts whose players all pay. */
export function payingCasts(castOf: CastOf): CastOf {
  return async (text, roles, budget) => {
    const cast = await castOf(text, roles, budget);
    return (role) => payingPlayer(cast(role));
  };
}
