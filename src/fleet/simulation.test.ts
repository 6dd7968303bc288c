import { expect, it } from "vitest";
import { simulateQuota } from "../../bench/fleet/simulate-quota.ts";
import { createRandom } from "../text/random.ts";

it("a thousand workers use a quota to at least 95%, and no minute is over it", async () => {
  const given = { workers: 1_000, requestsPerMinute: 3_000, minutes: 3, callMs: 3_000, tripMs: 2 };
  const { utilisation, fullest } = await simulateQuota(given, createRandom(7));
  expect(utilisation).toBeGreaterThanOrEqual(0.95);
  expect(fullest).toBeLessThanOrEqual(3_000);
});
