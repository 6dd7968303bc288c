import { readFileSync } from "node:fs";

const folder = new URL("../../../../data/sentiment/", import.meta.url);

/** The lines of a data file, without comments and blank lines. */
export function readDataLines(path: string): string[] {
  const lines = readFileSync(new URL(path, folder), "utf8").split("\n");
  return lines.filter((line) => line.trim() !== "" && !line.startsWith("#"));
}

/** The rows of a data file: what stands between the bars. */
export function readDataRows(path: string): string[][] {
  return readDataLines(path).map((line) => line.split("|").map((cell) => cell.trim()));
}

/** The lines "+2 word word" of a data file: a strength, and the words that have it. */
export function readStrengths(path: string): [number, string][] {
  return readDataLines(path).flatMap((line): [number, string][] => {
    const match = /^([+-]?\d)\s+(.+)$/.exec(line);
    return match ? [[Number(match[1]), match[2] as string]] : [];
  });
}
