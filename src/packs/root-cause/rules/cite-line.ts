import { type LogEvent, type ParsedLog, quoteLine } from "../../../knowledge/logs/index.ts";
import type { Evidence } from "../schemas/hypothesis.ts";

/** How a line is cited: its number, with its file when the log has several. */
export function citeLine(log: ParsedLog, line: number, file: string | null): Evidence["ref"] {
  return file === null || log.sources.length < 2 ? line : `${file}:${line}`;
}

/** The file and line that a reference is made of: `12`, `line 12`, `L12`, `logs/app.log:12`. */
export function splitRef(ref: Evidence["ref"]): { file: string | null; line: number } | null {
  const plain = String(ref)
    .trim()
    .replace(/^(?:line\s*|L)(?=\d)/i, "");
  const [, file, line] = /^(?:(.*):)?(\d+)$/s.exec(plain) ?? [];
  return line === undefined ? null : { file: file ?? null, line: Number(line) };
}

/** The file and line that a log reference names; without a file it is that of the event which holds the line. */
export function locateRef({ events }: ParsedLog, ref: Evidence["ref"]): { file: string | null; line: number } {
  const { file, line } = splitRef(ref) ?? { file: null, line: 0 };
  const holds = (event: LogEvent) => event.line <= line && line <= (event.last_line ?? event.line);
  return { file: file ?? events.find(holds)?.file ?? null, line };
}

/** The original text of the line that a log reference names, or null when there is no such line. */
export function findCitedLine(log: ParsedLog, ref: Evidence["ref"]): string | null {
  const found = splitRef(ref);
  return found && quoteLine(log, found.line, found.file ?? undefined);
}
