import type { Evidence } from "./hypothesis.ts";
import type { ParsedLog } from "./logs/parsed-log.ts";
import { quotedLine } from "./logs/quoted-line.ts";

/** How a line is cited: its number, with its file when the log has several. */
export function lineRef(log: ParsedLog, line: number, file: string | null): Evidence["ref"] {
  return file === null || log.sources.length < 2 ? line : `${file}:${line}`;
}

/** The original text of the line that a log reference names, or null when there is no such line. */
export function citedLine(log: ParsedLog, ref: Evidence["ref"]): string | null {
  if (typeof ref === "number") return quotedLine(log, ref);
  const [, file, line] = /^(?:(.*):)?(\d+)$/s.exec(ref.trim().replace(/^(?:line|L)\s*/i, "")) ?? [];
  return line === undefined ? null : quotedLine(log, Number(line), file);
}

/** True when the words of the quote stand in the text, whatever the white space. */
export function contains(text: string, quote: string): boolean {
  const plain = (value: string) => value.replace(/\s+/g, " ").trim();
  return plain(text).includes(plain(quote));
}
