import type { ReadEvent } from "../events/log-event-reader.ts";
import { type KeptEvent, keepEvent } from "./kept-event.ts";

const around = 8;

type Place = { order: number; shape: number; file: string | null };

/** Keeps the first error and the events around it: the first by time, across sources, or by order where there is none. */
export class FirstErrorScene {
  first: KeptEvent | null = null;
  before: KeptEvent[] = [];
  after: KeptEvent[] = [];
  private recent: { event: ReadEvent; at: Place }[] = [];
  private following = 0;

  add(event: ReadEvent, at: Place, isError: boolean): void {
    if (isError && this.isEarlier(event)) {
      this.first = keepEvent(event, at);
      this.before = this.recent
        .filter((item) => item.at.file === at.file)
        .map((item) => keepEvent(item.event, item.at));
      this.after = [];
      this.following = around;
    } else if (this.following > 0 && this.first?.file === at.file) {
      this.after.push(keepEvent(event, at));
      this.following -= 1;
    }
    this.recent.push({ event, at });
    if (this.recent.length > around) this.recent.shift();
  }

  private isEarlier(event: ReadEvent): boolean {
    if (this.first === null) return true;
    return event.timestamp !== null && this.first.timestamp !== null && event.timestamp < this.first.timestamp;
  }
}
