import type { LogHop } from "../schemas/parsed-log.ts";
import type { Steps } from "./hop-ledger.ts";

/** What became of calls against what was usual, since when, and what was usual. */
export type HopChange = {
  change: LogHop["change"];
  fromMs: number | null;
  against: "reference" | "quiet part" | null;
  before: { count: number; median: number } | null;
  median: number;
};

type Calls = { calls: number; errors: number; steps: Steps };
type Scene = { compared: boolean; endMs: number };

/** Slower is four times as slow, and by 20 ms. */
const slowerTimes = 4;
const slowerByMs = 20;
/** Failing is a fifth of the calls, and twice as often as before. */
const failingShare = 0.2;
const leastFailed = 3;
/** Fewer steps do not show what was usual. */
const leastSteps = 20;
/** Calls have stopped when none came for this many times their usual distance, and for a minute. */
const silentTimes = 12;
const silentMs = 60_000;

/** Holds calls against those of the reference; without one, against their own beginning (root-cause spec §2.6). */
export function compareHop(own: Calls, before: Calls | null, { compared, endMs }: Scene): HopChange {
  const split = compared ? null : findSlowdown(own.steps);
  const took = split === null ? own.steps.took : own.steps.took.slice(split);
  const earlier = compared ? (before?.steps.took ?? null) : split === null ? null : own.steps.took.slice(0, split);
  const [median, usual] = [findMiddle(took), earlier === null ? null : findMiddle(earlier)];
  const silentFrom = findSilence(own.steps, endMs);
  const change = ((): LogHop["change"] => {
    if (isFailing(own, before)) return "failing";
    if (usual !== null && isSlower(median, usual)) return "slower";
    if (silentFrom !== null) return "stopped";
    return compared ? (before === null ? "new" : "same") : null;
  })();
  const count = compared ? (before?.calls ?? 0) : (split ?? 0) * own.steps.every;
  return {
    change,
    fromMs: findStart(change, own.steps, { split, silentFrom }),
    against: compared ? "reference" : split === null ? null : "quiet part",
    before: compared ? { count, median: usual ?? Number.NaN } : usual === null ? null : { count, median: usual },
    median,
  };
}

function isFailing(own: Calls, before: Calls | null): boolean {
  const share = own.errors / Math.max(1, own.calls);
  const usual = before === null ? 0 : before.errors / Math.max(1, before.calls);
  return own.errors >= leastFailed && share >= failingShare && share >= 2 * usual;
}

function isSlower(median: number, usual: number): boolean {
  return median >= slowerTimes * usual && median - usual >= slowerByMs;
}

function findStart(
  change: LogHop["change"],
  { at, failed }: Steps,
  { split, silentFrom }: { split: number | null; silentFrom: number | null },
): number | null {
  if (change === "failing") return at[failed.indexOf(true)] ?? null;
  if (change === "slower") return split === null ? null : (at[split] ?? null);
  return change === "stopped" ? silentFrom : null;
}

/** Where calls became slow for good: the split whose sides scatter least, if the second is slower. */
function findSlowdown({ took }: Steps): number | null {
  if (took.length < leastSteps) return null;
  const logs = took.map((ms) => Math.log(1 + ms));
  const splits = Array.from({ length: 16 }, (_, index) => Math.floor(took.length * (0.1 + 0.05 * index)));
  const scattered = splits.map((at) => ({
    at,
    by: measureScatter(logs.slice(0, at)) + measureScatter(logs.slice(at)),
  }));
  const [best] = scattered.toSorted((a, b) => a.by - b.by);
  return best && isSlower(findMiddle(took.slice(best.at)), findMiddle(took.slice(0, best.at))) ? best.at : null;
}

function measureScatter(values: readonly number[]): number {
  const middle = findMiddle(values);
  return values.reduce((sum, value) => sum + Math.abs(value - middle), 0);
}

/** When the last call was, if so long ago that more should have come. */
function findSilence({ at }: Steps, endMs: number): number | null {
  const [first, last] = [at[0], at.at(-1)];
  if (first === undefined || last === undefined || at.length < leastSteps) return null;
  const distance = (last - first) / (at.length - 1);
  return endMs - last >= Math.max(silentMs, silentTimes * distance) ? last : null;
}

/** The middle value, the lower one of two; 0 when there are none. */
export function findMiddle(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor((values.length - 1) / 2)] ?? 0;
}
