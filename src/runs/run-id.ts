import { randomUUID } from "node:crypto";

const alphabet = "0123456789abcdefghjkmnpqrstvwxyz";

/** The ids of the second that this process drew one for last: within a second chance alone may repeat one. */
const drawn = { second: "", chances: new Set<string>() };

/** A new run's id: short, sorts by time as far as the clock does, and easy to read aloud (no i, l, o, u). */
export function createRunId(nowMs = Date.now()): string {
  const second = writeTimePart(nowMs);
  if (second !== drawn.second) {
    drawn.second = second;
    drawn.chances.clear();
  }
  let chance = drawChancePart();
  while (drawn.chances.has(chance)) chance = drawChancePart();
  drawn.chances.add(chance);
  return `${second}-${chance}`;
}

function writeTimePart(nowMs: number): string {
  let seconds = Math.max(0, Math.floor(nowMs / 1000));
  let time = "";
  for (let place = 0; place < 7; place += 1) {
    time = alphabet.charAt(seconds % 32) + time;
    seconds = Math.floor(seconds / 32);
  }
  return time;
}

function drawChancePart(): string {
  const digits = randomUUID();
  let chance = "";
  for (let at = digits.length - 12; at < digits.length; at += 2)
    chance += alphabet.charAt(Number.parseInt(digits.slice(at, at + 2), 16) % 32);
  return chance;
}
