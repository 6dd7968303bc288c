const tolerance = 1e-9;

/** True when a value misses a threshold; the noise of adding decimals does not count, so 0.8 + 0.8 meets 1.6 (sentiment spec §6). */
export function isBelow(value: number, threshold: number): boolean {
  return value < threshold - tolerance;
}
