/**
 * `npm test` does a share of what takes long; `npm run test:long` (PARLEY_TESTS=long) does the whole of it. The long run
 * takes only the test files that import this one (vitest.config.ts).
 */
const isLong = process.env.PARLEY_TESTS === "long";

/** How often something is done. */
export function timesOf({ quick, whole }: { quick: number; whole: number }): number {
  return isLong ? whole : quick;
}

/** The cases that are tried: those that `isQuick` picks, or all. */
export function shareOf<T>(cases: readonly T[], isQuick: (one: T, index: number) => boolean): T[] {
  return isLong ? [...cases] : cases.filter(isQuick);
}
