/** The chance of at most `successes` in `trials` of this chance each. */
export function binomialTail(successes: number, trials: number, chance: number): number {
  if (chance <= 0) return 1;
  if (chance >= 1) return successes >= trials ? 1 : 0;
  let term = trials * Math.log1p(-chance);
  let sum = Math.exp(term);
  for (let k = 1; k <= Math.min(successes, trials); k += 1) {
    term += Math.log((trials - k + 1) / k) + Math.log(chance) - Math.log1p(-chance);
    sum += Math.exp(term);
  }
  return Math.min(1, sum);
}

/** The greatest share that would still bring so few successes with a chance of 1 − certainty (Clopper–Pearson, one-sided). */
export function boundShare(successes: number, trials: number, certainty: number): number {
  if (trials === 0 || successes >= trials) return 1;
  let [low, high] = [successes / trials, 1];
  for (let step = 0; step < 60; step += 1) {
    const middle = (low + high) / 2;
    if (binomialTail(successes, trials, middle) > 1 - certainty) low = middle;
    else high = middle;
  }
  return high;
}
