import { RequestError } from "../http/request.ts";

export type Rate = { burst: number; perSecond: number };

const mostNames = 10_000;

export class RateLimit {
  readonly #rate: Rate;
  readonly #nowMs: () => number;
  readonly #buckets = new Map<string, { left: number; atMs: number }>();

  constructor(rate: Rate, nowMs: () => number = performance.now.bind(performance)) {
    this.#rate = rate;
    this.#nowMs = nowMs;
  }

  take(name: string): void {
    const left = this.#leftOf(name);
    this.#buckets.delete(name);
    this.#buckets.set(name, { left: left >= 1 ? left - 1 : left, atMs: this.#nowMs() });
    const [oldest] = this.#buckets.keys();
    if (this.#buckets.size > mostNames && oldest !== undefined) this.#buckets.delete(oldest);
    this.#requireOne(left);
  }

  check(name: string): void {
    this.#requireOne(this.#leftOf(name));
  }

  #leftOf(name: string): number {
    const { burst, perSecond } = this.#rate;
    const before = this.#buckets.get(name);
    return before ? Math.min(burst, before.left + ((this.#nowMs() - before.atMs) / 1000) * perSecond) : burst;
  }

  #requireOne(left: number): void {
    if (left >= 1) return;
    const seconds = Math.max(1, Math.ceil((1 - left) / this.#rate.perSecond));
    throw new RequestError("too_many", `too many requests; try again in ${seconds} s`, { "retry-after": `${seconds}` });
  }
}
