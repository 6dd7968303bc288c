import { wordData } from "./log-data.ts";

const causedBy = /^\s*Caused by:\s*(.+)$/;
const exception = /^\s*((?:[\w$]+[./])*[A-Z][\w$]*(?:Error|Exception|Throwable|Failure|Fault|Interrupt|Exit)\b.*)$/;
const traceback = /Traceback \(most recent call last\)/;
const finalLine = /^([A-Za-z_][\w.]*(?::.*)?)$/;
const longestCause = 400;

/**
 * The cause in a stack trace (root-cause spec §2.2): the last `Caused by` with more than its class, the last line of
 * a traceback, else the first named exception; null if there is none.
 */
export function findCause(lines: readonly string[] | null): string | null {
  if (lines === null || lines.length === 0) return null;
  const causes = lines.flatMap((line) => causedBy.exec(line)?.[1] ?? []);
  const found =
    causes.findLast((cause) => cause.includes(":")) ??
    causes.at(-1) ??
    findTracebackEnd(lines) ??
    lines.flatMap((line) => exception.exec(line.slice(0, 1000))?.[1] ?? [])[0];
  return found?.trim().slice(0, longestCause) ?? null;
}

function findTracebackEnd(lines: readonly string[]): string | null {
  if (!lines.some((line) => traceback.test(line) || /^\s+File "/.test(line))) return null;
  return lines.findLast((line) => finalLine.test(line) && !traceback.test(line)) ?? null;
}

const longest = 1000;
const thrown = /\b((?:[a-z][\w$]*\.)*[A-Z][\w$]*(?:Exception|Error|Failure|Fault|Interrupt))\b/;
const exceptionName = /^((?:[\w$]+\.)*[A-Z][\w$]*)/;
const phrases = Object.entries(wordData.error_types).map(([type, text]) => [new RegExp(text, "i"), type] as const);

/** The kind of an error: the deepest cause of a stack trace, a named exception, else a known phrase; or null. */
export function findErrorType(message: string, extra: readonly string[] | null): string | null {
  const text = message.slice(0, longest);
  const named = exceptionName.exec(findCause(extra) ?? "")?.[1] ?? thrown.exec(text)?.[1];
  return named?.replace(/^.*\./, "") ?? phrases.find(([pattern]) => pattern.test(text))?.[1] ?? null;
}

/** An error in one line: the message, and the line of its stack that names the cause. */
export function writeErrorText(message: string, extra: readonly string[] | null): string {
  const cause = findCause(extra);
  return cause === null || message.includes(cause) ? message : `${message}: ${cause}`;
}

/** True when the message or its stack names an exception, whatever its level. */
export function namesException(message: string, extra: readonly string[] | null): boolean {
  return [message, ...(extra ?? [])].some((line) => thrown.test(line.slice(0, longest)));
}
