import type { Problem } from "../../../../contract/turn.ts";
import type { CaseFile } from "../../../../knowledge/law/index.ts";
import type { Fault } from "../../schemas/agent-output.ts";
import { type Notes, notesOf } from "../wording/notes.ts";

/** One parse-time check (law spec §3.1): what is wrong, and what is struck, flagged or cut when it stays wrong. */
export type Check<R, I> = { find(reply: R, input: I): Problem[]; mend(reply: R, input: I): R };

/** Everything the checks find wrong with a reply. */
export function findAll<R, I>(checks: Check<R, I>[], reply: R, input: I): Problem[] {
  return checks.flatMap((check) => check.find(reply, input));
}

/** The reply with every check's mend applied in order, and what was wrong recorded as its faults. */
export function mendAll<R extends { faults?: Fault[] }, I>(
  checks: Check<R, I>[],
  reply: R,
  problems: Problem[],
  input: I,
): R {
  const mended = checks.reduce((one, check) => check.mend(one, input), reply);
  return { ...mended, faults: problems.map(({ code, message }) => ({ code, message })) };
}

/** How problems with a reply are told, in the language of the case. */
export function tellingOf({ file }: { file: CaseFile }): Notes["problems"] {
  return notesOf(file.retrieval.language).problems;
}

/** A problem that is struck, flagged or cut when it stays. */
export function flag(code: string, message: string, path?: (string | number)[]): Problem {
  return { code, message, severity: "salvage", ...(path ? { path } : {}) };
}

/** A problem that no mending can answer: it ends in an abstention. */
export function reject(code: string, message: string, path?: (string | number)[]): Problem {
  return { code, message, severity: "reject", ...(path ? { path } : {}) };
}
