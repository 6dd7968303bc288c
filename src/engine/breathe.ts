/** The longest that work which never waits for anything keeps the rest of the process waiting. */
const busyMs = 8;

let sinceMs = 0;

/** Lets signals, requests and writes through when this process has been busy for a while. */
export async function breathe(): Promise<void> {
  if (performance.now() - sinceMs < busyMs) return;
  await new Promise<void>((resolve) => setImmediate(resolve));
  sinceMs = performance.now();
}
