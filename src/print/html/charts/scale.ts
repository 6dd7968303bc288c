/** The ends of an axis at round numbers, and the step between its marks. */
export type Bounds = { min: number; max: number; step: number };

/** Ends and steps of an axis over shares, with a little room around the values, in at most `most` steps. */
export function niceBounds(values: number[], most: number): Bounds {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(0.005, (high - low) * 0.05);
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
  const step = steps.find((one) => (high - low + 2 * room) / one <= most - 1) ?? 1;
  const [from, to] = [Math.floor((low - room) / step), Math.ceil((high + room) / step)];
  return { min: from * step, max: to * step, step };
}

/** An axis from zero to just over the greatest value, in about `most` steps of 1, 2 or 5 times a power of ten. */
export function boundsFromZero(greatest: number, most: number): Bounds {
  const rough = Math.max(greatest, 1e-9) / most;
  const power = 10 ** Math.floor(Math.log10(rough));
  const step = [1, 2, 5, 10].map((one) => one * power).find((one) => one >= rough) ?? 10 * power;
  return { min: 0, max: Math.max(1, Math.ceil(greatest / step - 1e-9)) * step, step };
}

/** The values that an axis marks. */
export function ticksOf({ min, max, step }: Bounds): number[] {
  return Array.from({ length: Math.round((max - min) / step) + 1 }, (_, i) => min + i * step);
}

/** Maps values between the bounds to places between two ends. */
export function scaleTo(
  { min, max }: Pick<Bounds, "min" | "max">,
  from: number,
  to: number,
): (value: number) => number {
  return (value) => from + ((value - min) / (max - min)) * (to - from);
}
