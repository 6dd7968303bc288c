/** Agreement of two raters; `kappa` is null when chance alone would always agree. */
export type Kappa = { kappa: number | null; observed: number; expected: number; items: number };

/** Cohen's kappa of two sequences of labels over the same items. */
export function cohensKappa(first: string[], second: string[]): Kappa {
  if (first.length !== second.length)
    throw new RangeError(`two raters must rate the same items, got ${first.length} and ${second.length}`);
  const items = first.length;
  if (items === 0) return { kappa: null, observed: 0, expected: 0, items };
  const firstCounts = countLabels(first);
  const secondCounts = countLabels(second);
  let agreed = 0;
  for (const [i, label] of first.entries()) if (label === second[i]) agreed++;
  let chance = 0;
  for (const [label, count] of firstCounts) chance += count * (secondCounts.get(label) ?? 0);
  const observed = agreed / items;
  const expected = chance / items ** 2;
  return { kappa: chance === items ** 2 ? null : (observed - expected) / (1 - expected), observed, expected, items };
}

function countLabels(labels: string[]): Map<string, number> {
  const counts = new Map<string, number>();
  for (const label of labels) counts.set(label, (counts.get(label) ?? 0) + 1);
  return counts;
}
