/** What a signature stands for, and how often it came. */
export type Signature<S> = { check: number; shape: S; count: number };

const maxSignatures = 65_536;

/**
 * Finds the shape of a message by its signature: the message with each run of digits as one sign. Messages that differ in
 * digits only have one shape, and comparing signatures is much cheaper than taking messages apart.
 */
export class SignatureCache<S> {
  private readonly known = new Map<number, Signature<S>>();
  private hash = 0;
  private check = 0;

  /** Reads a message's signature and returns what is known of it. */
  find(message: string): Signature<S> | undefined {
    let hash = 0;
    let check = message.length === 0 ? 1 : 0;
    let inDigits = false;
    for (let at = 0; at < message.length; at += 1) {
      const code = message.charCodeAt(at);
      if (code >= 48 && code <= 57) {
        if (inDigits) continue;
        inDigits = true;
      } else inDigits = false;
      const sign = inDigits ? 48 : code;
      hash = Math.imul(hash ^ sign, 0x01000193);
      check = ((check << 5) - check + sign) | 0;
    }
    this.hash = hash;
    this.check = check;
    const found = this.known.get(hash);
    return found !== undefined && found.check === check ? found : undefined;
  }

  /** Remembers the shape of the message that was looked for last. */
  remember(shape: S): void {
    if (this.known.size >= maxSignatures) this.known.clear();
    this.known.set(this.hash, { check: this.check, shape, count: 1 });
  }

  clear(): void {
    this.known.clear();
  }
}
