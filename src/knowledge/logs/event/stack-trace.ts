import type { ReadEvent } from "./event.ts";
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

const frame =
  /^(?:\s+at \S|\s+File "|\s*Caused by: |\s*\.\.\. \d+ (?:more|common frames)|\s*Suppressed: |\s+\^+\s*$|\s*goroutine \d+ \[|\s*at [\w.$<>/]+\([^)]*\)\s*$)/;
const between = /^\s*(?:During handling of the above exception|The above exception was the direct cause)/;
const named =
  /^\s*(?:[\w.$]+\.)?[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Timeout|Failure|Refused|Found|Fault)?(?::|\s*$)/;
const bare = /^\s*(?:[a-z_][\w$]*\.)*[A-Z][\w$]*(?:Error|Exception|Throwable)(?::|\s*$)/;
const mayFold = /^\s|^(?:Traceback|Caused by: |\.\.\. |at |Suppressed: |goroutine |During handling|The above)/;
const mostMs = 2_000;

/** Recognises events that are really lines of the previous event's stack trace. */
export class TraceFolder {
  private inTraceback = false;

  /** True if `next`, on the very next line, continues `current`. Call once per event, in order. */
  continues(current: ReadEvent | null, next: ReadEvent): boolean {
    const { message } = next;
    const areErrors = current !== null && isBad(current) && current.level === next.level;
    if (!this.inTraceback && !areErrors && !mayFold.test(message) && !message.endsWith("(most recent call last):"))
      return false;
    const isSame = current !== null && comeTogether(current, next);
    if (traceback.test(message)) {
      this.inTraceback = true;
      return isSame && /^\s*Traceback/.test(message);
    }
    const wasIn = this.inTraceback;
    this.inTraceback &&= isSame;
    if (!isSame) return false;
    if (frame.test(message) || between.test(message)) return true;
    if (!wasIn) return bare.test(message) && current.stack === null && isBare(current, next);
    if (/^\s/.test(message)) return true;
    this.inTraceback = false;
    return named.test(message);
  }
}

function isBad({ level }: ReadEvent): boolean {
  return level === "ERROR" || level === "FATAL";
}

function isBare(current: ReadEvent, next: ReadEvent): boolean {
  return isBad(current) && isBad(next) && current.timestamp !== null && !bare.test(current.message);
}

function comeTogether(a: ReadEvent, b: ReadEvent): boolean {
  if (a.component !== b.component || a.service !== b.service || a.host !== b.host) return false;
  return a.timestamp === null || b.timestamp === null || Math.abs(b.timestamp - a.timestamp) <= mostMs;
}

/** An event that is only a traceback takes the message of its last exception. */
export function speakOfCause(event: ReadEvent): void {
  if (!event.message.includes("Traceback (") || !/^\s*Traceback \(/.test(event.message)) return;
  const lines = event.stack ?? event.extra ?? [];
  const last = lines.findLast((line) => /^\S/.test(line) && !between.test(line) && !traceback.test(line));
  if (last !== undefined) event.message = last;
}
