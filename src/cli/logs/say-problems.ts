import type { ParsedLog } from "../../knowledge/logs/index.ts";
import type { Io } from "../terminal/io.ts";

/** What was wrong with the sources of a log goes to stderr; the log is read nevertheless. */
export function sayProblems(io: Io, { sources }: Pick<ParsedLog, "sources">): void {
  for (const { name, problems } of sources) for (const problem of problems) io.err(`parley: ${name}: ${problem}\n`);
}
