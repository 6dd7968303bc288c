import { randomUUID } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** A new run's id: short, sorts by time, and easy to read aloud (no i, l, o, u). */
export function newRunId(nowMs = Date.now()): string {
  let seconds = Math.floor(nowMs / 1000);
  let time = "";
  for (let place = 0; place < 7; place += 1) {
    time = alphabet.charAt(seconds % 32) + time;
    seconds = Math.floor(seconds / 32);
  }
  const chance = [...Buffer.from(randomUUID().slice(-12), "hex")].map((byte) => alphabet.charAt(byte % 32)).join("");
  return `${time}-${chance}`;
}
