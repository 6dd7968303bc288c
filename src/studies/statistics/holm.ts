/** Holm's step-down correction: p-values adjusted for the number of comparisons, in the order given. */
export function holm(pValues: number[]): number[] {
  const order = pValues.map((p, index) => ({ p, index })).sort((a, b) => a.p - b.p || a.index - b.index);
  const adjusted = Array.from({ length: pValues.length }, () => 1);
  let running = 0;
  for (const [rank, { p, index }] of order.entries()) {
    running = Math.max(running, Math.min(1, (pValues.length - rank) * p));
    adjusted[index] = running;
  }
  return adjusted;
}
