import type { DebateResult, Note } from "./result.ts";
import type { Turn, TurnKey } from "./turn.ts";

/** The version of the event stream; readers refuse a newer one. */
export const eventVersion = 1;

/** What happens in a debate, as it happens. */
export type DebateEvent =
  | { type: "round_started"; round: number }
  | { type: "turn_started"; key: TurnKey; player: string }
  | { type: "text"; key: TurnKey; text: string }
  | { type: "turn"; turn: Turn; replayed: boolean }
  | { type: "note"; note: Note }
  | { type: "ended"; result: DebateResult };
