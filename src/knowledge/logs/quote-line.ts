import type { ParsedLog } from "../../contract/parsed-log.ts";

/**
 * The original text of a line when kept events have it, else null; without `file` the first file with that line counts.
 * A line that holds several events (an export of spans) has the text of each of them.
 */
export function quoteLine(log: ParsedLog, line: number, file?: string | null): string | null {
  let from = file;
  const texts: string[] = [];
  for (const event of log.events) {
    if (line < event.line || line > (event.last_line ?? event.line)) continue;
    if (from === undefined) from = event.file;
    if (event.file !== from) continue;
    const text = event.raw.split("\n")[line - event.line];
    if (text !== undefined) texts.push(text);
  }
  return texts.length === 0 ? null : texts.join("\n");
}
