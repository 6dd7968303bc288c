import type { LogEvent, ParsedLog } from "../../logs/index.ts";

const traceId = /\b(?:trace[_ -]?id|request[_ -]?id|correlation[_ -]?id)\\?["']?\s*[:=]\s*\\?["']?([\w-]{8,})/i;
const sleuth = /\[[\w.-]+,([0-9a-f]{16,32}),[0-9a-f]{16}/;

/** Two events that follow each other in one trace. */
export type Step = { from: LogEvent; to: LogEvent; gapMs: number };
/** A step between two components, with who called whom. */
export type Hop = Step & { caller: string; callee: string };

/** The steps of every whole trace. Events that the salience choice picked one by one (`why` says so) do not make a trace. */
export function listTraces(log: ParsedLog): Step[][] {
  const whole =
    log.totals.left_out_events === 0
      ? log.events
      : log.events.filter(({ why }) => why.length === 0 || why.includes("trace"));
  const traces = Map.groupBy(whole.filter(hasTime), (event) => findTraceId(event) ?? "");
  traces.delete("");
  return [...traces.values()].map((events) => {
    const ordered = events.toSorted((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0) || a.line - b.line);
    return ordered.slice(1).map((to, index) => {
      const from = ordered[index] ?? to;
      return { from, to, gapMs: (to.timestamp ?? 0) - (from.timestamp ?? 0) };
    });
  });
}

/** The calls of a trace: going back to a waiting component is the answer of the one it called, whoever logged last. */
export function listHops(steps: readonly Step[]): Hop[] {
  const waiting = [steps[0]?.from.component ?? ""];
  const hops: Hop[] = [];
  for (const step of steps) {
    const [from, to] = [step.from.component ?? "", step.to.component ?? ""];
    if (from === to) continue;
    const depth = waiting.lastIndexOf(to);
    if (depth === -1) {
      waiting.push(to);
      hops.push({ ...step, caller: from, callee: to });
    } else {
      const callee = waiting[depth + 1] ?? from;
      waiting.length = depth + 1;
      hops.push({ ...step, caller: to, callee });
    }
  }
  return hops;
}

export function findTraceId(event: LogEvent): string | null {
  return traceId.exec(event.raw)?.[1] ?? sleuth.exec(event.raw)?.[1] ?? null;
}

/** The middle gap of some steps, the lower one of two; 0 when there are none. */
export function findMedianGap(steps: readonly Step[]): number {
  const sorted = steps.map(({ gapMs }) => gapMs).sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? 0;
}

/** Spans say themselves who called whom and how long it took; their ends do not follow each other as lines do. */
function hasTime({ timestamp, component, took_ms }: LogEvent): boolean {
  return timestamp !== null && component !== null && took_ms === undefined;
}
