const causedBy = /^\s*Caused by:\s*(.+)$/;
const exception = /^\s*((?:[\w$]+[./])*[A-Z][\w$]*(?:Error|Exception|Throwable|Failure|Fault|Interrupt|Exit)\b.*)$/;
const inTraceback = /^\s*Traceback \(most recent call last\)/;
const finalLine = /^([A-Za-z_][\w.]*(?::.*)?)$/;
const longest = 400;

/**
 * What a stack trace says was the cause (root-cause spec §2.2): the last `Caused by` that says more than its class, the
 * last line of a traceback, else the first exception that is named; null when no line names one.
 */
export function findCause(lines: readonly string[] | null): string | null {
  if (lines === null || lines.length === 0) return null;
  const found = findLastCause(lines) ?? findTracebackEnd(lines) ?? findFirst(lines, exception);
  return found === null ? null : found.trim().slice(0, longest);
}

function findLastCause(lines: readonly string[]): string | null {
  const causes = lines.flatMap((line) => causedBy.exec(line)?.[1] ?? []);
  return causes.findLast((cause) => cause.includes(":")) ?? causes.at(-1) ?? null;
}

/** The last line of a traceback that is not indented is its exception. */
function findTracebackEnd(lines: readonly string[]): string | null {
  if (!lines.some((line) => inTraceback.test(line) || /^\s+File "/.test(line))) return null;
  return lines.findLast((line) => finalLine.test(line) && !inTraceback.test(line)) ?? null;
}

function findFirst(lines: readonly string[], pattern: RegExp): string | null {
  for (const line of lines) {
    const found = pattern.exec(line.slice(0, 1000))?.[1];
    if (found !== undefined) return found;
  }
  return null;
}
