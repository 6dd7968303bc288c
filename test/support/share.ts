/**
 * `npm test` does a share of what takes long; CI (PARLEY_TESTS=whole) and `npm run test:long` (PARLEY_TESTS=long) do all
 * of it. The long run takes only the test files that import this one (vitest.config.ts).
 */
const isLong = ["long", "whole"].includes(process.env.PARLEY_TESTS ?? "");

/** How often something is done. */
export function timesOf({ quick, whole }: { quick: number; whole: number }): number {
  return isLong ? whole : quick;
}

/** The cases that are tried: those that `isQuick` picks, or all. */
export function shareOf<T>(cases: readonly T[], isQuick: (one: T, index: number) => boolean): T[] {
  return isLong ? [...cases] : cases.filter(isQuick);
}
