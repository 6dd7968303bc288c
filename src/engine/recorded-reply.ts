import { ParleyError } from "../contract/error.ts";
import { type Attempt, type TurnKey, turnIdOf } from "../contract/turn.ts";
import type { Played } from "./player.ts";

/** A recorded reply as it came: programs and people gave a value and no reason for stopping, models gave text. */
export function readRecordedReply({ finish, raw }: Attempt, key: TurnKey): Played["reply"] {
  if (finish !== null) return { text: raw };
  try {
    return { value: JSON.parse(raw) as unknown };
  } catch (cause) {
    throw new ParleyError(
      "drifted",
      `what was recorded of ${turnIdOf(key)} is not a JSON value; the journal was edited`,
      {
        cause,
        details: { turn: turnIdOf(key) },
      },
    );
  }
}
