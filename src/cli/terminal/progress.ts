import type { DebateEvent } from "../../contract/event.ts";
import type { Io } from "./io.ts";

/** Follows debates on one line of the terminal; silent when there is none. */
export type Progress = { onEvent(event: DebateEvent): void; line(text: string): void; clear(): void };

/** As much of what is being said as a line can hold. */
const longestTail = 120;

/** A progress line on stderr, drawn at most ten times a second. */
export function createProgress(io: Io, quiet = false): Progress {
  const show = io.live && !quiet;
  let drawnAt = 0;
  let turns = 0;
  let round = 0;
  let open = 0;
  let said = "";
  const line = (text: string, force = false): void => {
    const now = performance.now();
    if (!show || (!force && now - drawnAt < 100)) return;
    drawnAt = now;
    io.draw(text.slice(0, io.width - 1));
  };
  return {
    line,
    onEvent(event) {
      if (event.type === "round_started") round = event.round;
      if (event.type === "turn_started") open += 1;
      if (event.type === "turn") {
        open -= 1;
        turns += 1;
        said = "";
      }
      if (event.type === "text") said = `${said}${event.text}`.slice(-longestTail);
      if (event.type === "note") return;
      const tail = said === "" ? "" : ` · …${said.replaceAll(/\s+/g, " ")}`;
      line(`round ${round} · ${turns} turns done · ${open} speaking${tail}`);
    },
    clear: () => {
      if (show && drawnAt > 0) io.draw("");
    },
  };
}
