import { type ParsedLog, quoteLine } from "../../../knowledge/logs/index.ts";
import type { Evidence } from "../schemas/hypothesis.ts";

/** How a line is cited: its number, with its file when the log has several. */
export function citeLine(log: ParsedLog, line: number, file: string | null): Evidence["ref"] {
  return file === null || log.sources.length < 2 ? line : `${file}:${line}`;
}

/** The original text of the line that a log reference names, or null when there is no such line. */
export function findCitedLine(log: ParsedLog, ref: Evidence["ref"]): string | null {
  if (typeof ref === "number") return quoteLine(log, ref);
  const [, file, line] = /^(?:(.*):)?(\d+)$/s.exec(ref.trim().replace(/^(?:line|L)\s*/i, "")) ?? [];
  return line === undefined ? null : quoteLine(log, Number(line), file);
}
