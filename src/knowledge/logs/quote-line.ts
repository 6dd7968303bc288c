import type { ParsedLog } from "./schemas/parsed-log.ts";

/** The original text of a line when a kept event has it, else null; without `file` the first event with that line counts. */
export function quoteLine(log: ParsedLog, line: number, file?: string | null): string | null {
  for (const event of log.events) {
    if (file !== undefined && event.file !== file) continue;
    if (line < event.line || line > (event.last_line ?? event.line)) continue;
    return event.raw.split("\n")[line - event.line] ?? null;
  }
  return null;
}
