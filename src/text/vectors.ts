import { readFileSync } from "node:fs";
import { remember } from "./search.ts";

type Table = { dimensions: number; rows: ReadonlyMap<string, number>; values: Int8Array };
let table: Table | null = null;

/** Loads the table on first use: 40,000 frequent English words, written by scripts/word-vectors.ts. */
function openTable(): Table {
  if (table) return table;
  const bytes = readFileSync(new URL("../../data/text/vectors-en.bin", import.meta.url));
  const end = bytes.indexOf(0);
  const [dimensions, ...words] = bytes.toString("utf8", 0, end).split("\n");
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + end + 1, words.length * Number(dimensions));
  table = { dimensions: Number(dimensions), rows: new Map(words.map((word, row) => [word, row])), values };
  return table;
}

/** A unit vector; null for a word that is not in the table. */
export const wordVector = remember(20_000, (word: string): Float32Array | null => {
  const { dimensions, rows, values } = openTable();
  const row = rows.get(word.toLowerCase());
  if (row === undefined) return null;
  const vector = Float32Array.from(values.subarray(row * dimensions, (row + 1) * dimensions));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
});

/** One of the hundred most frequent English words: the table is sorted by frequency. */
export function isCommonWord(word: string): boolean {
  return (openTable().rows.get(word.toLowerCase()) ?? Number.POSITIVE_INFINITY) < 100;
}

/** The weighted sum of word vectors; null if no word is in the table. */
export function sentenceVector(words: Iterable<string>, weightOf: (word: string) => number = () => 1) {
  const sum = new Float32Array(openTable().dimensions);
  for (const word of words) {
    const weight = weightOf(word);
    for (const [i, value] of wordVector(word)?.entries() ?? []) sum[i] = (sum[i] ?? 0) + weight * value;
  }
  return sum.some((value) => value !== 0) ? sum : null;
}
