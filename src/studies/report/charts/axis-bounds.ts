/** Ends and steps of an axis over shares at round numbers, at most `most` steps. */
export function niceBounds(values: number[], most: number): { min: number; max: number; interval: number } {
  const [low, high] = [Math.min(...values), Math.max(...values)];
  const room = Math.max(0.005, (high - low) * 0.05);
  const steps = [0.01, 0.02, 0.05, 0.1, 0.2, 0.5];
  const interval = steps.find((step) => (high - low + 2 * room) / step <= most - 1) ?? 1;
  const [from, to] = [Math.floor((low - room) / interval), Math.ceil((high + room) / interval)];
  return { min: from * interval, max: to * interval, interval };
}
