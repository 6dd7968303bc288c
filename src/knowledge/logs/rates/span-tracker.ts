import type { Span } from "../header/header-format.ts";
import type { HopLedger } from "./hop-ledger.ts";

/** A span with where it was and how it ended. */
export type TracedSpan = Span & { service: string; isError: boolean; line: number; file: string | null };

const maxSpans = 200_000;

/** Finds who called whom by the parents of spans, in whatever order they come, in bounded memory. */
export class SpanTracker {
  private readonly traces = new Map<string, TracedSpan[]>();
  private readonly ledger: HopLedger;
  private kept = 0;

  constructor(ledger: HopLedger) {
    this.ledger = ledger;
  }

  add(trace: string, span: TracedSpan): void {
    const spans = this.traces.get(trace);
    if (spans === undefined) this.traces.set(trace, [span]);
    else spans.push(span);
    this.kept += 1;
    if (this.kept > maxSpans) this.countOldest();
  }

  /** Counts what waits for further spans of its trace; calls go in the order of time. */
  finish(): void {
    const steps = [...this.traces.values()].flatMap(listSteps).toSorted((a, b) => a.atMs - b.atMs);
    for (const step of steps) this.ledger.count(step);
    this.traces.clear();
    this.kept = 0;
  }

  private countOldest(): void {
    const [oldest] = this.traces;
    if (oldest === undefined) return;
    this.traces.delete(oldest[0]);
    this.kept -= oldest[1].length;
    for (const step of listSteps(oldest[1])) this.ledger.count(step);
  }
}

/** A call goes to the service of a span from that of its parent, or from a client to the peer that left no span. */
function listSteps(spans: readonly TracedSpan[]) {
  const byId = new Map(spans.map((span) => [span.id, span]));
  const answered = new Set(spans.map(({ parent }) => parent));
  return spans.flatMap((span) => {
    const parent = span.parent === null ? undefined : byId.get(span.parent);
    const { startMs: atMs, durationMs: tookMs, isError, line, file } = span;
    const step = { isCall: true, tookMs, atMs, line, file };
    if (parent !== undefined && parent.service !== span.service)
      return [
        {
          caller: parent.service,
          callee: span.service,
          isError: isError || (parent.peer !== null && parent.isError),
          ...step,
        },
      ];
    const isUnanswered = span.peer !== null && span.peer !== span.service && !answered.has(span.id);
    return isUnanswered ? [{ caller: span.service, callee: span.peer ?? "", isError, ...step }] : [];
  });
}
