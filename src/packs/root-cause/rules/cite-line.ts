import { type LogEvent, type ParsedLog, quoteLine } from "../../../knowledge/logs/index.ts";
import type { Evidence } from "../schemas/hypothesis.ts";

/** How a line is cited: its number, with its file when the log has several. */
export function citeLine(log: ParsedLog, line: number, file: string | null): Evidence["ref"] {
  return file === null || log.sources.length < 2 ? line : `${file}:${line}`;
}

/** The file and line that a log reference names; without a file it is that of the event which holds the line. */
export function locateRef({ events }: ParsedLog, ref: Evidence["ref"]): { file: string | null; line: number } {
  const [, file, line] =
    /^(?:(.*):)?(\d+)$/s.exec(
      String(ref)
        .trim()
        .replace(/^(?:line|L)\s*/i, ""),
    ) ?? [];
  const at = Number(line ?? 0);
  const holds = (event: LogEvent) => event.line <= at && at <= (event.last_line ?? event.line);
  return { file: file ?? events.find(holds)?.file ?? null, line: at };
}

/** The original text of the line that a log reference names, or null when there is no such line. */
export function findCitedLine(log: ParsedLog, ref: Evidence["ref"]): string | null {
  if (typeof ref === "number") return quoteLine(log, ref);
  const [, file, line] = /^(?:(.*):)?(\d+)$/s.exec(ref.trim().replace(/^(?:line|L)\s*/i, "")) ?? [];
  return line === undefined ? null : quoteLine(log, Number(line), file);
}
