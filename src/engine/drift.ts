import { ParleyError } from "../contract/error.ts";
import type { AttemptBody } from "../contract/journal.ts";
import { type TurnKey, turnId } from "../contract/turn.ts";
import type { Journal } from "./journal.ts";
import type { Request } from "./request.ts";

/** The error of a turn whose request is no longer the recorded one, with the first place where they part. */
export async function drift(
  journal: Journal,
  key: TurnKey,
  recorded: AttemptBody,
  request: Request,
): Promise<ParleyError> {
  const before = await journal.prompt(recorded.promptHash);
  const diff = before
    ? firstDifference(
        before,
        request.pieces.map((piece) => piece.text),
      )
    : "the recorded prompt is missing";
  return new ParleyError(
    "drifted",
    `${turnId(key)} has drifted: code, prompt or config changed since it was recorded.\n${diff}\nRestore what changed, or start a new run.`,
    { details: { turn: turnId(key), diff } },
  );
}

/** The first line in which two prompts part, as a two-line diff. */
export function firstDifference(before: string[], after: string[]): string {
  const old = before.join("\n").split("\n");
  const now = after.join("\n").split("\n");
  const at = old.findIndex((line, index) => line !== now[index]);
  const line = at < 0 ? old.length : at;
  if (line >= old.length && line >= now.length) return "the prompt is the same; the schema of the reply changed";
  return `line ${line + 1}:\n- ${cut(old[line])}\n+ ${cut(now[line])}`;
}

function cut(line: string | undefined): string {
  if (line === undefined) return "(end of the prompt)";
  return line.length > 300 ? `${line.slice(0, 299)}…` : line;
}
