/** Whether new cases look like those that a certificate was found on: the largest gap of their distributions, and how likely that is by chance. */
export type Drift = { gap: number; p: number; cases: number };

/** Compares two samples of confidences (Kolmogorov–Smirnov, two-sided); null when one of them is empty. */
export function measureDrift(before: readonly number[], now: readonly number[]): Drift | null {
  if (before.length === 0 || now.length === 0) return null;
  const [a, b] = [before.toSorted((x, y) => x - y), now.toSorted((x, y) => x - y)];
  let [i, j, gap] = [0, 0, 0];
  while (i < a.length && j < b.length) {
    const value = Math.min(a[i] ?? 0, b[j] ?? 0);
    while (i < a.length && a[i] === value) i += 1;
    while (j < b.length && b[j] === value) j += 1;
    gap = Math.max(gap, Math.abs(i / a.length - j / b.length));
  }
  return { gap, p: computeTail(gap, a.length, b.length), cases: now.length };
}

/** True when the new cases do not look like the old ones. */
export function hasDrifted({ p }: Drift): boolean {
  return p < 0.01;
}

/** The chance of such a gap between samples of one distribution (Kolmogorov's series with Stephens's correction). */
function computeTail(gap: number, n: number, m: number): number {
  const size = Math.sqrt((n * m) / (n + m));
  const lambda = (size + 0.12 + 0.11 / size) * gap;
  if (lambda < 0.2) return 1;
  let sum = 0;
  for (let k = 1; k <= 100; k += 1) sum += (k % 2 === 1 ? 2 : -2) * Math.exp(-2 * k * k * lambda * lambda);
  return Math.min(1, Math.max(0, sum));
}
