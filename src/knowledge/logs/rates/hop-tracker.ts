import type { LogHop } from "../schemas/parsed-log.ts";

/** One event of a trace. */
export type TracedEvent = {
  trace: string;
  component: string;
  timestamp: number;
  isError: boolean;
  line: number;
  file: string | null;
};

type Trace = { waiting: string[]; last: string; lastMs: number };
type Tally = {
  caller: string;
  callee: string;
  count: number;
  errors: number;
  gaps: Uint32Array;
  longestMs: number;
  line: number;
  file: string | null;
};

const maxTraces = 4096;
const maxHops = 500;
const steps = 160;

/** Follows traces from component to component and counts the calls between them, in bounded memory. */
export class HopTracker {
  private readonly traces = new Map<string, Trace>();
  private readonly hops = new Map<string, Tally>();

  /** Follows one event; returns how long the step to it took when it came from another component, else 0. */
  add(event: TracedEvent): number {
    const trace = this.traces.get(event.trace);
    if (trace === undefined) {
      this.begin(event);
      return 0;
    }
    const gapMs = Math.max(0, event.timestamp - trace.lastMs);
    const from = trace.last;
    trace.lastMs = event.timestamp;
    if (from === event.component) return 0;
    trace.last = event.component;
    const depth = trace.waiting.lastIndexOf(event.component);
    if (depth < 0) {
      trace.waiting.push(event.component);
      this.count({ caller: from, callee: event.component, isCall: true, gapMs, event });
    } else {
      const callee = trace.waiting[depth + 1] ?? from;
      trace.waiting.length = depth + 1;
      this.count({ caller: event.component, callee, isCall: false, gapMs, event });
    }
    return gapMs;
  }

  /** The calls between components, compared with those of a reference, those that changed first. */
  list(reference: HopTracker | null): LogHop[] {
    const own = [...this.hops.values()].map((tally) =>
      describe(tally, reference?.hops.get(keyOf(tally)) ?? null, reference !== null),
    );
    const gone = [...(reference?.hops.values() ?? [])].filter(
      (tally) => !this.hops.has(keyOf(tally)) && tally.count >= 5,
    );
    return [...own, ...gone.map(describeGone)].toSorted(
      (a, b) =>
        Number(isChanged(b)) - Number(isChanged(a)) || (b.longest_ms ?? 0) - (a.longest_ms ?? 0) || b.count - a.count,
    );
  }

  private begin({ trace, component, timestamp }: TracedEvent): void {
    if (this.traces.size >= maxTraces) {
      const [oldest] = this.traces.keys();
      if (oldest !== undefined) this.traces.delete(oldest);
    }
    this.traces.set(trace, { waiting: [component], last: component, lastMs: timestamp });
  }

  private count(step: { caller: string; callee: string; isCall: boolean; gapMs: number; event: TracedEvent }): void {
    const { caller, callee, gapMs, event } = step;
    const key = keyOf(step);
    let tally = this.hops.get(key);
    if (tally === undefined) {
      if (this.hops.size >= maxHops) return;
      tally = { caller, callee, count: 0, errors: 0, gaps: new Uint32Array(steps), longestMs: -1, line: 0, file: null };
      this.hops.set(key, tally);
    }
    if (step.isCall) tally.count += 1;
    if (event.isError) tally.errors += 1;
    const bin = findBin(gapMs);
    tally.gaps[bin] = (tally.gaps[bin] ?? 0) + 1;
    if (gapMs <= tally.longestMs) return;
    tally.longestMs = gapMs;
    tally.line = event.line;
    tally.file = event.file;
  }
}

function keyOf({ caller, callee }: { caller: string; callee: string }): string {
  return `${caller}\u0001${callee}`;
}

/** Gaps are counted in steps of a ninth, so that a median costs no memory. */
function findBin(gapMs: number): number {
  return Math.min(steps - 1, Math.round(6 * Math.log2(1 + gapMs)));
}

function findMedian(gaps: Uint32Array): number {
  const half = gaps.reduce((sum, count) => sum + count, 0) / 2;
  let seen = 0;
  const bin = gaps.findIndex((count) => (seen += count) >= half && seen > 0);
  return Math.round(2 ** (Math.max(0, bin) / 6) - 1);
}

/** Slower is four times as slow, and by 20 ms; failing is a fifth of the calls, and twice as often as before. */
function describe(tally: Tally, before: Tally | null, compared: boolean): LogHop {
  const median = findMedian(tally.gaps);
  const usual = before === null ? null : findMedian(before.gaps);
  const failing = tally.errors / Math.max(1, tally.count);
  const failed = before === null ? 0 : before.errors / Math.max(1, before.count);
  const isSlower = usual !== null && median >= 4 * usual && median - usual >= 20;
  const isFailing = tally.errors >= 3 && failing >= 0.2 && failing >= 2 * failed;
  const isNew = compared && before === null;
  return {
    caller: tally.caller,
    callee: tally.callee,
    count: tally.count,
    error_count: tally.errors,
    median_ms: median,
    longest_ms: Math.max(0, tally.longestMs),
    reference_count: compared ? (before?.count ?? 0) : null,
    reference_median_ms: usual,
    change: isFailing ? "failing" : isSlower ? "slower" : isNew ? "new" : compared ? "same" : null,
    file: tally.file,
    line: tally.line || null,
  };
}

function describeGone(tally: Tally): LogHop {
  const usual = findMedian(tally.gaps);
  return {
    caller: tally.caller,
    callee: tally.callee,
    count: 0,
    error_count: 0,
    median_ms: null,
    longest_ms: null,
    reference_count: tally.count,
    reference_median_ms: usual,
    change: "stopped",
    file: null,
    line: null,
  };
}

function isChanged({ change }: LogHop): boolean {
  return change !== null && change !== "same";
}
