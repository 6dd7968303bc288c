import { categories } from "../../src/knowledge/incidents/index.ts";
import { measureMacroF1 } from "../../src/packs/root-cause/index.ts";

/** Macro F1 of pairs of gold and said category. */
export function scoreMacroF1(pairs: readonly { gold: string; said: string | null }[]): number {
  const totals: Record<string, number> = {};
  const add = (key: string) => (totals[key] = (totals[key] ?? 0) + 1);
  for (const { gold, said } of pairs) {
    add(`gold ${gold}`);
    add(`said ${said ?? "nothing"}`);
    if (gold === said) add(`hit ${gold}`);
  }
  return measureMacroF1(totals) ?? 0;
}

export function scoreAccuracy(pairs: readonly { gold: string; said: string | null }[]): number {
  return mean(pairs.map(({ gold, said }) => Number(gold === said)));
}

export function mean(values: readonly number[]): number {
  return values.length === 0 ? 0 : values.reduce((sum, value) => sum + value, 0) / values.length;
}

const resamples = 2000;

/** A 95 % bootstrap interval of a statistic over cases, by resampling the cases with one seed. */
export function estimateInterval(count: number, statistic: (indices: number[]) => number): [number, number] {
  const next = createGenerator(20_240_514);
  const values = Array.from({ length: resamples }, () => {
    return statistic(Array.from({ length: count }, () => Math.floor(next() * count)));
  }).sort((a, b) => a - b);
  return [values[Math.floor(resamples * 0.025)] ?? 0, values[Math.floor(resamples * 0.975)] ?? 0];
}

function createGenerator(seed: number): () => number {
  let state = seed >>> 0;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 4_294_967_296;
  };
}

/** How many cases each category has. */
export function printCounts(labels: readonly string[]): string {
  return categories
    .map((category) => [category, labels.filter((label) => label === category).length] as const)
    .filter(([, count]) => count > 0)
    .map(([category, count]) => `${category} ${count}`)
    .join(", ");
}
