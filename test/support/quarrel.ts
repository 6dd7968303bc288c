import type { Player } from "../../src/engine/player.ts";

/** A player by whom nobody ever agrees: every speaker has an answer of its own and keeps to it. */
export function quarrel(player: Player): Player {
  return {
    ...player,
    async play(role, input, turn) {
      const reply = await player.play(role, input, turn);
      const days = 1 + [...role.name].reduce((sum, letter) => sum + letter.charCodeAt(0), 0);
      const speech = {
        reasoning: `${role.name} has counted again and finds nothing in what the others say that would change the count.`,
        quotes: [],
        answer: `${days} days`,
        short_answer: `${days} days`,
        confidence: 0.5,
      };
      return { ...reply, reply: { value: speech } };
    },
  };
}
