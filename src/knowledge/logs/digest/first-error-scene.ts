import type { ReadEvent } from "../header/header-format.ts";
import { type KeptEvent, keepEvent } from "../events/kept-event.ts";

const around = 8;

type Place = Pick<KeptEvent, "order" | "shape" | "file">;

/** Keeps the first error and the events around it: the first by time, across sources, or by order where there is none. */
export class FirstErrorScene {
  first: KeptEvent | null = null;
  before: KeptEvent[] = [];
  after: KeptEvent[] = [];
  private readonly recent: { event: ReadEvent; shape: number; file: string | null }[] = [];
  private following = 0;

  add(event: ReadEvent, at: Place & { isError: boolean }): void {
    if (at.isError && this.isEarlier(event)) this.begin(event, at);
    else if (this.following > 0 && this.first?.file === at.file) {
      this.after.push(keepEvent(event, at));
      this.following -= 1;
    }
    const slot = this.recent[at.order % around];
    if (slot === undefined) this.recent[at.order % around] = { event, shape: at.shape, file: at.file };
    else {
      slot.event = event;
      slot.shape = at.shape;
      slot.file = at.file;
    }
  }

  private begin(event: ReadEvent, at: Place): void {
    this.first = keepEvent(event, at);
    this.after = [];
    this.following = around;
    this.before = [];
    for (let order = Math.max(0, at.order - around); order < at.order; order += 1) {
      const past = this.recent[order % around];
      if (past?.file === at.file)
        this.before.push(keepEvent(past.event, { order, shape: past.shape, file: past.file }));
    }
  }

  private isEarlier(event: ReadEvent): boolean {
    if (this.first === null) return true;
    return event.timestamp !== null && this.first.timestamp !== null && event.timestamp < this.first.timestamp;
  }
}
