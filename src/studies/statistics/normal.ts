import { bisect, errorFunction } from "simple-statistics";

/** Share of a standard normal distribution below `z`. */
export function normalCdf(z: number): number {
  return (1 + errorFunction(z / Math.SQRT2)) / 2;
}

/** The `z` below which a share `p` of a standard normal distribution lies. */
export function normalQuantile(p: number): number {
  if (!(p > 0 && p < 1)) throw new RangeError(`a normal quantile needs 0 < p < 1, got ${p}`);
  return bisect((z) => normalCdf(z) - p, -9, 9, 200, 1e-10);
}
