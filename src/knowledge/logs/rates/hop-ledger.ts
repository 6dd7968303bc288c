import type { LogHop } from "../schemas/parsed-log.ts";
import { compareHop, findMiddle, type HopChange } from "./compare-hop.ts";

/** One call between two components, or the answer to it: how long it took, when, and the line that shows it. */
export type HopStep = {
  caller: string;
  callee: string;
  /** An answer adds its time to the call, and no call. */
  isCall: boolean;
  tookMs: number;
  atMs: number;
  isError: boolean;
  line: number;
  file: string | null;
};

/** Steps in the order they came: when, how long, whether they failed; `every` second, fourth… of them once there are many. */
export type Steps = { at: number[]; took: number[]; failed: boolean[]; every: number };

type Tally = Pick<HopStep, "caller" | "callee"> & {
  calls: number;
  errors: number;
  seen: number;
  steps: Steps;
  longestMs: number;
  slowest: Pick<HopStep, "line" | "file"> | null;
  firstError: Pick<HopStep, "line" | "file"> | null;
};

const maxHops = 500;
const maxSteps = 512;

/** Counts the calls between components, however they were found, in bounded memory. */
export class HopLedger {
  private readonly hops = new Map<string, Tally>();
  private lastMs = 0;

  count(step: HopStep): void {
    const tally = this.find(step);
    if (tally === null) return;
    this.lastMs = Math.max(this.lastMs, step.atMs);
    if (step.isCall) tally.calls += 1;
    if (step.isError) {
      tally.errors += 1;
      tally.firstError ??= { line: step.line, file: step.file };
    }
    if (tally.seen % tally.steps.every === 0) remember(tally.steps, step);
    tally.seen += 1;
    if (step.tookMs <= tally.longestMs) return;
    tally.longestMs = step.tookMs;
    tally.slowest = { line: step.line, file: step.file };
  }

  /** The calls between components, compared with those of a reference or with their own quiet part, those that changed first. */
  list(reference: HopLedger | null): LogHop[] {
    const own = [...this.hops].map(([key, tally]) => {
      const before = reference?.hops.get(key) ?? null;
      return describe(tally, compareHop(tally, before, { compared: reference !== null, endMs: this.lastMs }));
    });
    const gone = [...(reference?.hops ?? [])].filter(([key, { calls }]) => !this.hops.has(key) && calls >= leastGone);
    return [...own, ...gone.map(([, tally]) => describeGone(tally))].toSorted(
      (a, b) =>
        Number(isChanged(b)) - Number(isChanged(a)) || (b.longest_ms ?? 0) - (a.longest_ms ?? 0) || b.count - a.count,
    );
  }

  private find({ caller, callee }: HopStep): Tally | null {
    const key = `${caller}\u0001${callee}`;
    const known = this.hops.get(key);
    if (known !== undefined) return known;
    if (this.hops.size >= maxHops) return null;
    const steps = { at: [], took: [], failed: [], every: 1 };
    const counts = { calls: 0, errors: 0, seen: 0, longestMs: -1 };
    const tally: Tally = { caller, callee, ...counts, steps, slowest: null, firstError: null };
    this.hops.set(key, tally);
    return tally;
  }
}

/** Fewer calls in the reference do not make one that is missing here a change. */
const leastGone = 5;

function remember(steps: Steps, { atMs, tookMs, isError }: HopStep): void {
  steps.at.push(atMs);
  steps.took.push(tookMs);
  steps.failed.push(isError);
  if (steps.at.length < maxSteps) return;
  const isKept = (_: unknown, index: number) => index % 2 === 0;
  steps.at = steps.at.filter(isKept);
  steps.took = steps.took.filter(isKept);
  steps.failed = steps.failed.filter(isKept);
  steps.every *= 2;
}

function describe(tally: Tally, { change, fromMs, against, before, median }: HopChange): LogHop {
  const at = (change === "failing" ? tally.firstError : null) ?? tally.slowest;
  return {
    caller: tally.caller,
    callee: tally.callee,
    count: tally.calls,
    error_count: tally.errors,
    median_ms: Math.round(median),
    longest_ms: Math.round(Math.max(0, tally.longestMs)),
    reference_count: before?.count ?? null,
    reference_median_ms: before?.median === undefined ? null : Math.round(before.median),
    change,
    ...(fromMs !== null && { from: Math.round(fromMs) }),
    ...(against !== null && { against }),
    file: at?.file ?? null,
    line: at?.line || null,
  };
}

function describeGone({ caller, callee, calls, steps }: Tally): LogHop {
  return {
    caller,
    callee,
    count: 0,
    error_count: 0,
    median_ms: null,
    longest_ms: null,
    reference_count: calls,
    reference_median_ms: Math.round(findMiddle(steps.took)),
    change: "stopped",
    against: "reference",
    file: null,
    line: null,
  };
}

function isChanged({ change }: LogHop): boolean {
  return change !== null && change !== "same";
}
