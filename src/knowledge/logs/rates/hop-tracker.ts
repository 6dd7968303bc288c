import { HopLedger } from "./hop-ledger.ts";

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

const maxTraces = 4096;

/** Follows traces from component to component by the order of their lines, in bounded memory. */
export class HopTracker {
  private readonly traces = new Map<string, Trace>();
  private readonly ledger: HopLedger;

  constructor(ledger: HopLedger) {
    this.ledger = ledger;
  }

  /** Follows one event; returns how long the step to it took when it came from another component, else 0. */
  add(event: TracedEvent): number {
    const trace = this.traces.get(event.trace);
    if (trace === undefined) {
      this.begin(event);
      return 0;
    }
    const tookMs = Math.max(0, event.timestamp - trace.lastMs);
    const from = trace.last;
    trace.lastMs = event.timestamp;
    if (from === event.component) return 0;
    trace.last = event.component;
    const { isError, line, file, timestamp: atMs } = event;
    const step = { tookMs, atMs, isError, line, file };
    const depth = trace.waiting.lastIndexOf(event.component);
    if (depth < 0) {
      trace.waiting.push(event.component);
      this.ledger.count({ caller: from, callee: event.component, isCall: true, ...step });
    } else {
      const callee = trace.waiting[depth + 1] ?? from;
      trace.waiting.length = depth + 1;
      this.ledger.count({ caller: event.component, callee, isCall: false, ...step });
    }
    return tookMs;
  }

  private begin({ trace, component, timestamp }: TracedEvent): void {
    if (this.traces.size >= maxTraces) {
      const [oldest] = this.traces.keys();
      if (oldest !== undefined) this.traces.delete(oldest);
    }
    this.traces.set(trace, { waiting: [component], last: component, lastMs: timestamp });
  }
}
