import type { ReadEvent } from "../header/header-format.ts";

const traceback = /Traceback \(most recent call last\)/;
const frame =
  /^(?:\s+at \S|\s+File "|\s*Caused by: |\s*\.\.\. \d+ (?:more|common frames)|\s*Suppressed: |\s+\^+\s*$|\s*goroutine \d+ \[|\s*at [\w.$<>/]+\([^)]*\)\s*$)/;
const between = /^\s*(?:During handling of the above exception|The above exception was the direct cause)/;
const named =
  /^\s*(?:[\w.$]+\.)?[A-Z]\w*(?:Error|Exception|Exit|Interrupt|Warning|Timeout|Failure|Refused|Found|Fault)?(?::|\s*$)/;
const bare = /^\s*(?:[a-z_][\w$]*\.)*[A-Z][\w$]*(?:Error|Exception|Throwable)(?::|\s*$)/;

/** Stack traces of which a program writes each line with a head of its own belong to one event. */
const mostMs = 2_000;

/** Says whether an event with a head is another line of the stack trace of the event before it. */
export class TraceFolder {
  private inTraceback = false;

  /** Whether `next`, which stands on the very next line, continues `current`; asks about each event once, in order. */
  continues(current: ReadEvent | null, next: ReadEvent): boolean {
    const { message } = next;
    if (!this.inTraceback && !mayFold(current, next)) return false;
    const isSame = current !== null && comeTogether(current, next);
    if (traceback.test(message)) {
      this.inTraceback = true;
      return isSame && /^\s*Traceback/.test(message);
    }
    if (!isSame) {
      this.inTraceback = false;
      return false;
    }
    if (frame.test(message) || between.test(message)) return true;
    if (!this.inTraceback) return bare.test(message) && current.told === null && isAlike(current, next);
    if (/^\s/.test(message)) return true;
    this.inTraceback = false;
    return named.test(message);
  }
}

const starts = [
  "Traceback",
  "Caused by: ",
  "... ",
  "at ",
  "Suppressed: ",
  "goroutine ",
  "During handling",
  "The above",
];
const firstCodes = new Set(starts.map((start) => start.charCodeAt(0)));

/** A quick no for almost every line. */
function mayFold(current: ReadEvent | null, { message, level }: ReadEvent): boolean {
  const code = message.charCodeAt(0);
  if (code <= 32 || message.endsWith("(most recent call last):")) return true;
  if (current !== null && (level === "ERROR" || level === "FATAL") && current.level === level) return true;
  return firstCodes.has(code) && starts.some((start) => message.startsWith(start));
}

/** A line that is an exception and nothing else says what the error before it was. */
function isAlike(current: ReadEvent, next: ReadEvent): boolean {
  const isBad = (event: ReadEvent) => event.level === "ERROR" || event.level === "FATAL";
  return isBad(current) && isBad(next) && current.timestamp !== null && !bare.test(current.message);
}

function comeTogether(a: ReadEvent, b: ReadEvent): boolean {
  if (a.component !== b.component || a.service !== b.service || a.host !== b.host) return false;
  return a.timestamp === null || b.timestamp === null || Math.abs(b.timestamp - a.timestamp) <= mostMs;
}

/** An event that is nothing but a traceback says what its last exception says. */
export function speakOfCause(event: ReadEvent): void {
  const code = event.message.charCodeAt(0);
  if ((code !== 84 && code > 32 && code < 128) || !/^\s*Traceback \(/.test(event.message)) return;
  const lines = event.told ?? event.extra ?? [];
  const last = lines.findLast((line) => /^\S/.test(line) && !between.test(line) && !traceback.test(line));
  if (last !== undefined) event.message = last;
}
