import { randomInt } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** Of the 30 bits after the second, ten say the millisecond; the rest is chance, which leaves room to count on from. */
const chances = 2 ** 20;

/** The last id that this process drew: within a second the next one is always greater. */
const drawn = { second: "", rest: -1 };

/** A new run's id: short, sorts by time as far as the clock does, and easy to read aloud (no i, l, o, u). */
export function createRunId(nowMs = Date.now()): string {
  const atMs = Math.max(0, Math.floor(nowMs));
  const second = writeDigits(Math.floor(atMs / 1000), 7);
  const rest = (atMs % 1000) * chances + randomInt(chances / 2);
  drawn.rest = second === drawn.second ? Math.max(rest, drawn.rest + 1) : rest;
  drawn.second = second;
  return `${second}-${writeDigits(drawn.rest, 6)}`;
}

function writeDigits(value: number, places: number): string {
  let left = value;
  let digits = "";
  for (let place = 0; place < places; place += 1) {
    digits = alphabet.charAt(left % 32) + digits;
    left = Math.floor(left / 32);
  }
  return digits;
}
