/** A stretch of silence or a jump back in one source. */
export type ClockJump = { line: number; file: string | null; timestamp: number; deltaMs: number };

/** Jumps back by less are threads writing out of order. */
const toleratedMs = 1000;
const remembered = 20;

/** Watches the timestamps of each source for silence and for clocks that go backwards. */
export class SourceClocks {
  /** The longest silences, longest first. */
  readonly gaps: ClockJump[] = [];
  /** The first jumps back. */
  readonly backwards: ClockJump[] = [];
  backwardCount = 0;
  private file: string | null = null;
  private last: number | null = null;

  add(timestamp: number, line: number, file: string | null): void {
    if (file !== this.file) {
      this.file = file;
      this.last = null;
    }
    if (this.last !== null) {
      const deltaMs = timestamp - this.last;
      if (deltaMs < -toleratedMs) this.noteBackwards({ line, file, timestamp, deltaMs });
      else if (deltaMs > (this.gaps.at(-1)?.deltaMs ?? 0) || (deltaMs > 0 && this.gaps.length < remembered)) {
        this.noteGap({ line, file, timestamp, deltaMs });
      }
    }
    this.last = timestamp;
  }

  private noteBackwards(jump: ClockJump): void {
    this.backwardCount += 1;
    if (this.backwards.length < remembered) this.backwards.push(jump);
  }

  private noteGap(gap: ClockJump): void {
    this.gaps.push(gap);
    this.gaps.sort((a, b) => b.deltaMs - a.deltaMs);
    this.gaps.length = Math.min(this.gaps.length, remembered);
  }
}
