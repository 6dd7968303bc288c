import { readFileSync } from "node:fs";

/** The values of a file of JSON lines. */
export function readLines<T>(file: string): T[] {
  return readFileSync(file, "utf8")
    .split("\n")
    .filter((line) => line.trim() !== "")
    .map((line) => JSON.parse(line) as T);
}

/** `27 of 30 (90 %)` */
export function wordShare(count: number, of: number): string {
  return `${count} of ${of} (${of === 0 ? "–" : Math.round((count / of) * 100)} %)`;
}
