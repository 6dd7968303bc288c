import { expect, it } from "vitest";
import { createRateLimiter, type RateLimits } from "./rate-limiter.ts";
import type { EndpointConfig } from "./seat.ts";
import { buildCast, parseCast } from "./cast.ts";

it("a model has limits of its own within those of its endpoint; other models of it have the endpoint's alone", () => {
  const asked: Record<string, RateLimits>[] = [];
  const limiters = {
    limiterFor(name: string, limits: RateLimits) {
      asked.push({ [name]: limits });
      return createRateLimiter(limits);
    },
  };
  const models = { slow: { requests_per_minute: 2, tokens_per_minute: 900 } };
  const endpoints: EndpointConfig[] = [
    { name: "lab", base_url: "http://127.0.0.1:1/v1", requests_per_minute: 50, models },
  ];
  for (const model of ["slow", "quick", "constructor"])
    buildCast(parseCast(`lab/${model}`, ["a"], { endpoints }), { endpoints, limiters, env: {} });
  const endpoint = { concurrency: Infinity, requestsPerMinute: 50, tokensPerMinute: Infinity };
  const own = { concurrency: Infinity, requestsPerMinute: 2, tokensPerMinute: 900 };
  const place = "http://127.0.0.1:1/v1 null";
  expect(asked).toEqual([
    { [place]: endpoint },
    { [`${place} slow`]: own },
    { [place]: endpoint },
    { [place]: endpoint },
  ]);
});
