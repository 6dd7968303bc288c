import { isBad } from "../digest/shape-facts.ts";
import { inferLevel } from "../digest/infer-level.ts";
import { LogEventReader } from "../events/log-event-reader.ts";
import { TimestampReader } from "../header/timestamp-reader.ts";
import { BurstWatch, burstSettings } from "./burst-watch.ts";
import type { FollowedLines } from "./follow-file.ts";

/** The last lines of a log when its errors burst, and the number of the first of them. */
export type SeenIncident = { lines: string[]; firstLine: number };

/** Lines that are kept to look back on, and how many follow a burst before it is looked into. */
export type WatchLimits = { keptLines: number; settleLines: number; settleMs: number };

const limits: WatchLimits = { keptLines: 20_000, settleLines: 200, settleMs: 5_000 };

/**
 * Watches lines as they come and hands out the last of them when errors burst, once per incident and in bounded memory.
 * What was written before the watching began shows what is usual; an incident that goes on is still one. Two quiet minutes
 * part two incidents: neither is handed out with the errors of the other. `now` tells the time where lines do not.
 */
export async function* watchIncidents(
  source: AsyncIterable<FollowedLines>,
  now: () => number,
  { keptLines, settleLines, settleMs }: WatchLimits = limits,
): AsyncGenerator<SeenIncident> {
  const bursts = new BurstWatch();
  const quiet = new QuietParts();
  const kept: string[] = [];
  let read = 0;
  let isOld = true;
  let isTold = false;
  let told = 0;
  let began: { atMs: number; line: number } | null = null;
  /** The first line of an incident that began while another was still waited for: that one is told without it. */
  let overdue: number | null = null;
  let start = 1;
  const reader = new LogEventReader({
    reader: null,
    times: new TimestampReader(now()),
    emit: ({ timestamp, level, message, line, lastLine }) => {
      const isError = isBad(level ?? inferLevel(message));
      if (isError) quiet.add(timestamp ?? now(), line, lastLine);
      if (bursts.add(timestamp ?? now(), isError)) {
        isTold = false;
        if (began !== null) overdue = quiet.end;
        else if (told > 0) start = quiet.start;
      }
      if (!isError || isOld || isTold || !bursts.isOngoing) return;
      isTold = true;
      began = { atMs: now(), line: read };
    },
    guessFrom: 20,
  });
  const takeIncident = (end = read + 1): SeenIncident => {
    const first = Math.max(start, read - kept.length + 1);
    told += 1;
    return { lines: kept.slice(first - 1 - read + kept.length, end - 1 - read + kept.length), firstLine: first };
  };
  for await (const { lines, old } of source) {
    isOld = old;
    for (const line of lines) {
      read += 1;
      kept.push(line);
      if (kept.length > 2 * keptLines) kept.splice(0, kept.length - keptLines);
      reader.add([line]);
      if (overdue !== null) yield takeOverdue(overdue);
      if (isSettled()) yield finishIncident();
    }
    if (isSettled()) yield finishIncident();
  }
  reader.end();
  if (overdue !== null) yield takeOverdue(overdue);
  if (began !== null) yield finishIncident();

  function takeOverdue(end: number): SeenIncident {
    const incident = takeIncident(end);
    overdue = null;
    start = quiet.start;
    return incident;
  }

  function finishIncident(): SeenIncident {
    began = null;
    return takeIncident();
  }

  function isSettled(): boolean {
    return began !== null && (read - began.line >= settleLines || now() - began.atMs >= settleMs);
  }
}

/** The last stretch of two minutes without an error: its first line, and the line of the error that ended it. */
class QuietParts {
  start = 1;
  end = 1;
  private lastMs: number | null = null;
  private lastLine = 0;

  /** Takes an error that stands from `line` to `lastLine`. */
  add(timeMs: number, line: number, lastLine: number): void {
    if (this.lastMs !== null && timeMs - this.lastMs > burstSettings.quietMs) {
      this.start = this.lastLine + 1;
      this.end = line;
    }
    this.lastMs = timeMs;
    this.lastLine = lastLine;
  }
}
