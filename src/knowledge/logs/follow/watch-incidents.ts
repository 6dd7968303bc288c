import { isBad } from "../digest/shape-facts.ts";
import { inferLevel } from "../digest/infer-level.ts";
import { LogEventReader } from "../events/log-event-reader.ts";
import { TimestampReader } from "../header/timestamp-reader.ts";
import { BurstWatch } from "./burst-watch.ts";
import type { FollowedLines } from "./follow-file.ts";

/** The last lines of a log when its errors burst, and the number of the first of them. */
export type SeenIncident = { lines: string[]; firstLine: number };

/** Lines that are kept to look back on, and how many follow a burst before it is looked into. */
export type WatchLimits = { keptLines: number; settleLines: number; settleMs: number };

const limits: WatchLimits = { keptLines: 20_000, settleLines: 200, settleMs: 5_000 };

/**
 * Watches lines as they come and hands out the last of them when errors burst, once per incident and in bounded memory.
 * What was written before the watching began shows what is usual; an incident that goes on is still one. `now` tells the time where lines do not.
 */
export async function* watchIncidents(
  source: AsyncIterable<FollowedLines>,
  now: () => number,
  { keptLines, settleLines, settleMs }: WatchLimits = limits,
): AsyncGenerator<SeenIncident> {
  const bursts = new BurstWatch();
  const kept: string[] = [];
  let read = 0;
  let isOld = true;
  let isTold = false;
  let began: { atMs: number; line: number } | null = null;
  const reader = new LogEventReader({
    reader: null,
    times: new TimestampReader(now()),
    emit: ({ timestamp, level, message }) => {
      const isError = isBad(level ?? inferLevel(message));
      if (bursts.add(timestamp ?? now(), isError)) isTold = false;
      if (!isError || isOld || isTold || !bursts.isOngoing) return;
      isTold = true;
      began = { atMs: now(), line: read };
    },
    guessFrom: 20,
  });
  const takeIncident = (): SeenIncident => ({ lines: [...kept], firstLine: read - kept.length + 1 });
  for await (const { lines, old } of source) {
    isOld = old;
    for (const line of lines) {
      read += 1;
      kept.push(line);
      if (kept.length > 2 * keptLines) kept.splice(0, kept.length - keptLines);
    }
    reader.add(lines);
    if (began === null || !isSettled(began, read, now())) continue;
    began = null;
    yield takeIncident();
  }
  reader.end();
  if (began !== null) yield takeIncident();

  function isSettled(burst: { atMs: number; line: number }, line: number, atMs: number): boolean {
    return line - burst.line >= settleLines || atMs - burst.atMs >= settleMs;
  }
}
