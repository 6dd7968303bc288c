import { ParleyError } from "../contract/error.ts";
import { type Attempt, type TurnKey, turnId } from "../contract/turn.ts";
import type { Played } from "./player.ts";

/** A recorded reply as it came: programs and people say no reason why they stopped, and gave a value; models gave text. */
export function recordedReply({ finish, raw }: Attempt, key: TurnKey): Played["reply"] {
  if (finish !== null) return { text: raw };
  try {
    return { value: JSON.parse(raw) as unknown };
  } catch (cause) {
    throw new ParleyError("drifted", `what was recorded of ${turnId(key)} is no value; the journal was edited`, {
      cause,
      details: { turn: turnId(key) },
    });
  }
}
