import { RequestError } from "../http/request-error.ts";

/** So many at once, refilled at so many per second. */
export type Rate = { burst: number; perSecond: number };

const mostNames = 10_000;

/** Lets each name do so much and no more; the error says when to come back. */
export function createRateLimit({ burst, perSecond }: Rate, nowMs: () => number = performance.now.bind(performance)) {
  const buckets = new Map<string, { left: number; atMs: number }>();
  return (name: string): void => {
    const atMs = nowMs();
    const before = buckets.get(name) ?? { left: burst, atMs };
    const left = Math.min(burst, before.left + ((atMs - before.atMs) / 1000) * perSecond);
    buckets.delete(name);
    buckets.set(name, { left: left >= 1 ? left - 1 : left, atMs });
    const [oldest] = buckets.keys();
    if (buckets.size > mostNames && oldest !== undefined) buckets.delete(oldest);
    if (left >= 1) return;
    const seconds = Math.max(1, Math.ceil((1 - left) / perSecond));
    throw new RequestError("too_many", `too many requests; try again in ${seconds} s`, { "retry-after": `${seconds}` });
  };
}
