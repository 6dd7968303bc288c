import type { KeptEvent } from "../events/kept-event.ts";

type Sample = { events: KeptEvent[]; components: Set<string>; longestMs: number; order: number };

const mostOpen = 512;
const mostEvents = 24;
const firstKept = 40;
const slowKept = 60;

/** Keeps a few traces whole: the first ones, and those with the longest steps between components. */
export class TraceSample {
  private readonly open = new Map<string, Sample>();
  private first: Sample[] = [];
  private slow: Sample[] = [];
  private begun = 0;

  add(trace: string, component: string, event: KeptEvent, stepMs: number): void {
    const sample = this.open.get(trace) ?? this.begin(trace);
    if (sample.events.length < mostEvents) sample.events.push(event);
    sample.components.add(component);
    sample.longestMs = Math.max(sample.longestMs, stepMs);
  }

  /** The events of the kept traces, a slow trace and an early one in turn; only traces that touch several components are kept. */
  listEvents(): KeptEvent[] {
    for (const sample of this.open.values()) this.close(sample);
    this.open.clear();
    this.trim();
    const longest = Math.max(this.first.length, this.slow.length);
    const inTurn = Array.from({ length: longest }, (_, at) => [this.slow[at], this.first[at]]).flat();
    const events = inTurn.flatMap((sample) => sample?.events ?? []);
    return [...new Map(events.map((event) => [event.order, event])).values()];
  }

  private begin(trace: string): Sample {
    if (this.open.size >= mostOpen) {
      const [oldest] = this.open;
      if (oldest !== undefined) {
        this.open.delete(oldest[0]);
        this.close(oldest[1]);
      }
    }
    const sample = { events: [], components: new Set<string>(), longestMs: 0, order: this.begun };
    this.begun += 1;
    this.open.set(trace, sample);
    return sample;
  }

  private close(sample: Sample): void {
    if (sample.components.size < 2) return;
    if (this.first.length < firstKept) this.first.push(sample);
    else {
      this.slow.push(sample);
      if (this.slow.length > 2 * slowKept) this.trim();
    }
  }

  private trim(): void {
    this.slow = this.slow.toSorted((a, b) => b.longestMs - a.longestMs || a.order - b.order).slice(0, slowKept);
  }
}
