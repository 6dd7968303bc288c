import { readFileSync } from "node:fs";

type Table = { dimensions: number; rows: ReadonlyMap<string, number>; values: Int8Array };
let table: Table | null = null;

/** The table is read when it is first needed: 40,000 frequent English words, written by scripts/word-vectors.ts. */
function openTable(): Table {
  if (table) return table;
  const bytes = readFileSync(new URL("../../data/text/vectors-en.bin", import.meta.url));
  const end = bytes.indexOf(0);
  const [dimensions, ...words] = bytes.toString("utf8", 0, end).split("\n");
  const values = new Int8Array(bytes.buffer, bytes.byteOffset + end + 1, words.length * Number(dimensions));
  table = { dimensions: Number(dimensions), rows: new Map(words.map((word, row) => [word, row])), values };
  return table;
}

/** The meaning of an English word as a vector of length 1; null for a word that is not in the table. */
export function wordVector(word: string): Float32Array | null {
  const { dimensions, rows, values } = openTable();
  const row = rows.get(word.toLowerCase());
  if (row === undefined) return null;
  const vector = Float32Array.from(values.subarray(row * dimensions, (row + 1) * dimensions));
  const length = Math.hypot(...vector);
  return vector.map((value) => value / length);
}

/** True for one of the hundred most frequent words of English: the table is in the order of frequency. */
export function isCommonWord(word: string): boolean {
  return (openTable().rows.get(word.toLowerCase()) ?? Number.POSITIVE_INFINITY) < 100;
}

/** The cosine of two vectors of length 1: near 1 for words of like meaning, about 0 for unrelated ones. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += (a[i] ?? 0) * (b[i] ?? 0);
  return sum;
}
