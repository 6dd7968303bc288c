import { randomUUID } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** The ids of the second that this process drew one for last: within a second chance alone may repeat one. */
const drawn = { second: "", chances: new Set<string>() };

/** A new run's id: short, sorts by time as far as the clock does, and easy to read aloud (no i, l, o, u). */
export function newRunId(nowMs = Date.now()): string {
  const second = timePart(nowMs);
  if (second !== drawn.second) {
    drawn.second = second;
    drawn.chances.clear();
  }
  let chance = chancePart();
  while (drawn.chances.has(chance)) chance = chancePart();
  drawn.chances.add(chance);
  return `${second}-${chance}`;
}

function timePart(nowMs: number): string {
  let seconds = Math.max(0, Math.floor(nowMs / 1000));
  let time = "";
  for (let place = 0; place < 7; place += 1) {
    time = alphabet.charAt(seconds % 32) + time;
    seconds = Math.floor(seconds / 32);
  }
  return time;
}

function chancePart(): string {
  return [...Buffer.from(randomUUID().slice(-12), "hex")].map((byte) => alphabet.charAt(byte % 32)).join("");
}
