import type { Player } from "../../src/engine/player.ts";

/** A player by whom nobody ever agrees: every speaker has an answer of its own and keeps to it. */
export function quarrel(player: Player): Player {
  return {
    ...player,
    async play(role, input, turn) {
      const reply = await player.play(role, input, turn);
      const days = Buffer.from(role.name).reduce((sum, byte) => sum + byte, 1);
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
