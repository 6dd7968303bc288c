import { setTimeout as pause } from "node:timers/promises";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { Cast, Player } from "../engine/player.ts";
import type { PersonPort } from "../players/person.ts";

/** The longest that other turns wait for an answer that already exists. */
const answerMs = 1_000;

/** People answer here; a worker plays all other turns, once the answer is recorded. */
export function splitCast(person: PersonPort, waitMs = answerMs): { person: PersonPort; others: Player } {
  const answered = Promise.withResolvers<void>();
  return {
    person: {
      ...person,
      async answer(form) {
        try {
          return await person.answer(form);
        } finally {
          setImmediate(() => answered.resolve());
        }
      },
    },
    others: {
      id: "worker",
      async play() {
        await (waitMs === Infinity ? answered.promise : Promise.race([answered.promise, pause(waitMs)]));
        throw new ParleyError("interrupted", "the rest is played by a worker");
      },
    },
  };
}

export function stopWhenLeft(cast: Cast, stop: () => void): Cast {
  return (roleName) => {
    const player = cast(roleName);
    return {
      ...player,
      play: (role, input, turn) =>
        player.play(role, input, turn).catch((error: unknown) => {
          if (hasCode(error, "interrupted")) stop();
          throw error;
        }),
    };
  };
}
