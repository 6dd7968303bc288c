import { createHash } from "node:crypto";
import { stemTokens } from "../../../text/stem-indonesian.ts";

const dimensions = 512;
const saturation = 1.2;

/** A text as a vector of its stems: frequencies saturate as in BM25, and each stem has its own place. */
export function embedText(text: string): number[] {
  const counts = new Map<string, number>();
  for (const stem of stemTokens(text)) counts.set(stem, (counts.get(stem) ?? 0) + 1);
  const vector = Array.from({ length: dimensions }, () => 0);
  for (const [stem, count] of counts) {
    const place = findPlace(stem);
    vector[place] = (vector[place] ?? 0) + (count * (saturation + 1)) / (count + saturation);
  }
  return vector;
}

function findPlace(stem: string): number {
  return createHash("sha256").update(stem).digest().readUInt32BE(0) % dimensions;
}
