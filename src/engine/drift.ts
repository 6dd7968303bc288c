import { ParleyError } from "../contract/error.ts";
import type { AttemptBody } from "../contract/journal.ts";
import { type TurnKey, turnIdOf } from "../contract/turn.ts";
import type { Journal } from "./journal.ts";
import type { Request } from "./request.ts";

/** The error of a turn whose request is no longer the recorded one, with the first place where they differ. */
export async function createDriftError(
  journal: Journal,
  key: TurnKey,
  recorded: AttemptBody,
  request: Request,
): Promise<ParleyError> {
  const before = await journal.prompt(recorded.promptHash);
  const diff = before
    ? findFirstDifference(
        before,
        request.pieces.map((piece) => piece.text),
      )
    : recorded.lean
      ? "the recorded prompt was not kept"
      : "the recorded prompt is missing";
  return new ParleyError(
    "drifted",
    `${turnIdOf(key)} has drifted: code, prompt or config changed since it was recorded.\n${diff}\nRestore what changed, or start a new run.`,
    { details: { turn: turnIdOf(key), diff } },
  );
}

/** The first line in which two prompts differ, as a two-line diff. */
export function findFirstDifference(before: string[], after: string[]): string {
  const old = before.join("\n").split("\n");
  const now = after.join("\n").split("\n");
  const at = old.findIndex((line, index) => line !== now[index]);
  const line = at < 0 ? old.length : at;
  if (line >= old.length && line >= now.length) return "the prompt is the same; the schema of the reply changed";
  const from = Math.max(0, findDifferingCharacter(old[line] ?? "", now[line] ?? "") - shownBefore);
  return `line ${line + 1}:\n- ${cut(old[line], from)}\n+ ${cut(now[line], from)}`;
}

/** How much of a line is shown before the place where it differs, and in all. */
const shownBefore = 60;
const shownInAll = 300;

function findDifferingCharacter(a: string, b: string): number {
  let at = 0;
  while (at < a.length && at < b.length && a[at] === b[at]) at += 1;
  return at;
}

function cut(line: string | undefined, from: number): string {
  if (line === undefined) return "(end of the prompt)";
  const start = line.length > shownInAll ? from : 0;
  const text = line.slice(start, start + shownInAll);
  return `${start > 0 ? "…" : ""}${text}${start + text.length < line.length ? "…" : ""}`;
}
