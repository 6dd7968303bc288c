import type { LogEvent } from "../../contract/parsed-log.ts";

export type TellingLine = { offset: number; text: string };

const causedBy = /^\s*Caused by:\s*(.+)$/;
const traceback = /\bTraceback \(most recent call last\)/;
const frame =
  /^\s*(?:at\s+[\w.$<>/]+\(|File "|\.\.\. \d+ more|goroutine \d+|Traceback \(most recent call last\)|[\w./*()]+\(.*\)$|\S+\.go:\d+)/;
const thrown = /^(?:[\w$]+\.)+[A-Z][\w$]*(?:Exception|Error|Throwable|Failure|Fault): \S/;
const exceptionLine = /^(?:[\w$]+\.)*[A-Z][\w$]*(?:: .+)?$/;

/** True for a frame of a stack trace: it says where something failed, never why. */
export function isFrame(line: string): boolean {
  return frame.test(line);
}

/**
 * The line of an event that names the cause: the last `Caused by`, the first exception of a Python traceback (later ones
 * were raised while it was handled), the exception right below the message, else the message itself. Of a stack trace in
 * a field of its record, the cause that was read from it.
 */
export function findTellingLine(event: Pick<LogEvent, "raw" | "message" | "cause">): TellingLine {
  const lines = event.raw.split("\n");
  if (lines.length === 1 && event.cause !== undefined) return { offset: 0, text: event.cause };
  const deepest = lines.findLastIndex((line) => causedBy.test(line));
  if (deepest !== -1) return { offset: deepest, text: causedBy.exec(lines[deepest] ?? "")?.[1]?.trim() ?? "" };
  const begun = lines.findIndex((line) => traceback.test(line));
  const raised =
    begun === -1
      ? -1
      : lines.findIndex((line, index) => index > begun && exceptionLine.test(line.trim()) && !/^\s/.test(line));
  if (raised !== -1) return { offset: raised, text: (lines[raised] ?? "").trim() };
  if (thrown.test(lines[1] ?? "")) return { offset: 1, text: (lines[1] ?? "").trim() };
  return { offset: 0, text: (event.message.split("\n")[0] ?? "").trim() };
}

const specific =
  /\b(?:too (?:large|small|long|many|big|old|few)|not (?:found|enough|exist|permitted|authorized|allowed|available|set|installed|valid)|no (?:such|space|route|more|valid|longer)|missing|refused|expired|exceed(?:s|ed|ing)?|insufficient|invalid|denied|unknown|mismatch|already|corrupt\w*|cannot|could not|unable|exhausted|full|limit|unsupported|undefined|null|nil)\b/i;
const wrapper =
  /\b(?:request failed|threw exception|unexpected|failed to (?:spawn|boot|start|process|execute|complete)|error from last host|internal server error|unhandled|could not be invoked|exhausted for|rolling back|aborting|giving up|re-?scheduled)\b/i;

/** How informative a line is about a cause; an exception with its message is best. */
export function rateTelling(text: string): number {
  if (isFrame(text)) return 0;
  const named = /\b[\w$]*(?:Exception|Error)\b: \S|^[A-Z][\w$]{5,}: \S/.test(text) ? 1 : 0;
  return 1 + named + (specific.test(text) ? 1 : 0) - (wrapper.test(text) ? 0.5 : 0);
}
