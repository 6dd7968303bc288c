/** Dice coefficient of two multisets of words: 2·shared / (size of a + size of b). Sets are multisets too. */
export function dice(a: Iterable<string>, b: Iterable<string>, whenBothEmpty = 0): number {
  const left = new Map<string, number>();
  let total = 0;
  for (const word of a) {
    left.set(word, (left.get(word) ?? 0) + 1);
    total += 1;
  }
  let shared = 0;
  for (const word of b) {
    total += 1;
    const count = left.get(word) ?? 0;
    if (count === 0) continue;
    left.set(word, count - 1);
    shared += 1;
  }
  return total === 0 ? whenBothEmpty : (2 * shared) / total;
}
