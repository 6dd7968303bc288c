/** The most of these times that lie within any minute. */
export function findFullestMinute(times: readonly number[]): number {
  const inOrder = times.toSorted((a, b) => a - b);
  let first = 0;
  let most = 0;
  for (const [index, time] of inOrder.entries()) {
    while (time - (inOrder[first] ?? 0) >= 60_000) first += 1;
    most = Math.max(most, index - first + 1);
  }
  return most;
}
