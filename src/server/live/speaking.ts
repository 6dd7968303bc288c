import type { PassingEvent } from "../../contract/api/index.ts";
import type { DebateEvent } from "../../contract/event.ts";
import { turnIdOf } from "../../contract/turn.ts";

/** The most that is kept of one reply while it comes; who joins later sees its end. */
const mostText = 50_000;

type Started = Extract<PassingEvent, { type: "turn_started" }>;

/** Who speaks in which run right now, and what they have said so far: for those who join in the middle. */
export type Speaking = {
  hear(run: string, event: DebateEvent): void;
  /** What a follower who joins now has missed of the turns that are not over. */
  tell(run: string): PassingEvent[];
  forget(run: string): void;
};

export function createSpeaking(): Speaking {
  const runs = new Map<string, Map<string, { started: Started; text: string }>>();
  return {
    hear(run, event) {
      const turns = runs.get(run) ?? new Map<string, { started: Started; text: string }>();
      if (event.type === "turn_started") {
        runs.set(run, turns);
        turns.set(turnIdOf(event.key), { started: event, text: "" });
      } else if (event.type === "text") {
        const turn = turns.get(turnIdOf(event.key));
        if (turn) turn.text = (turn.text + event.text).slice(-mostText);
      } else if (event.type === "turn") turns.delete(turnIdOf(event.turn.key));
    },
    tell(run) {
      return [...(runs.get(run)?.values() ?? [])].flatMap(({ started, text }) => [
        started,
        ...(text === "" ? [] : [{ type: "text" as const, key: started.key, text }]),
      ]);
    },
    forget: (run) => void runs.delete(run),
  };
}
