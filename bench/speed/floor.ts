import { writeSync } from "node:fs";
import type { Record } from "./bare-debate.ts";

/** The least that a journal can be: a line a reply, appended to an open file, without waiting for the disk. */
export function appendTo(file: number): Record {
  return (round, seat, answer) => void writeSync(file, `${JSON.stringify({ round, seat, answer })}\n`);
}
