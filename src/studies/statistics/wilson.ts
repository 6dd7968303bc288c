import type { Interval } from "./interval.ts";
import { normalQuantile } from "./normal.ts";

/** Wilson's score interval of a proportion; null without a trial. */
export function wilson(successes: number, trials: number, level = 0.95): Interval | null {
  if (trials === 0) return null;
  const z = normalQuantile(1 - (1 - level) / 2);
  const share = successes / trials;
  const scale = 1 + z ** 2 / trials;
  const centre = (share + z ** 2 / (2 * trials)) / scale;
  const half = (z * Math.sqrt((share * (1 - share)) / trials + z ** 2 / (4 * trials ** 2))) / scale;
  return { estimate: share, low: Math.max(0, centre - half), high: Math.min(1, centre + half) };
}
