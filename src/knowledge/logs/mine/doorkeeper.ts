const slots = 1 << 18;

/** Remembers roughly what it was asked about lately, in fixed memory: things that come once are told from those that come again. */
export class Doorkeeper {
  private readonly seen = new Uint8Array(slots);
  private count = 0;

  /** True when the same hash was asked about before; forgets everything when half of the memory is used. */
  hasSeen(hash: number): boolean {
    const slot = (Math.imul(hash, 0x9e3779b1) >>> 14) & (slots - 1);
    if (this.seen[slot] === 1) return true;
    if (this.count >= slots / 2) {
      this.seen.fill(0);
      this.count = 0;
    }
    this.seen[slot] = 1;
    this.count += 1;
    return false;
  }
}
