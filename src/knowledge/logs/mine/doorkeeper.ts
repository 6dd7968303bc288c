const slots = 1 << 18;
/** Things remembered before everything is forgotten: each marks two slots, so at most one new thing in sixteen looks known. */
const mostSeen = slots / 8;

/** Remembers roughly what it was asked about lately, in fixed memory: things that come once are told from those that come again. */
export class Doorkeeper {
  private readonly seen = new Uint8Array(slots);
  private count = 0;

  /** True when the same hash was asked about before; forgets everything when a quarter of the memory is used. */
  hasSeen(hash: number): boolean {
    const first = (Math.imul(hash, 0x9e3779b1) >>> 14) & (slots - 1);
    const second = (Math.imul(hash ^ 0x5bd1e995, 0x85ebca6b) >>> 14) & (slots - 1);
    if (this.seen[first] === 1 && this.seen[second] === 1) return true;
    if (this.count >= mostSeen) {
      this.seen.fill(0);
      this.count = 0;
    }
    this.seen[first] = 1;
    this.seen[second] = 1;
    this.count += 1;
    return false;
  }
}
