import { expect, test } from "vitest";
import { noCost, noUsage } from "../contract/budget.ts";
import { describeSpend } from "./budget.ts";

const spend = { calls: 3, tokens: 1200, usd: 0.0123 };
const usage = { ...noUsage, inputTokens: 1000, outputTokens: 200 };

test.each([
  ["nothing", noCost, noUsage, "no model calls, free"],
  ["calls with their figures", spend, usage, "3 calls, 1,200 tokens, $0.0123"],
  ["calls that were all refused", { ...spend, tokens: 0, usd: null }, noUsage, "3 calls, nothing was charged"],
  [
    "calls that came to nothing",
    { ...spend, usd: null },
    { ...usage, inputTokens: 0 },
    "3 calls, 1,200 tokens (up to 1,000 in calls that failed or reported no usage), cost unknown",
  ],
  ["a cache", { ...spend, calls: 1 }, { ...usage, cachedTokens: 900 }, "1 call, 1,200 tokens (900 cached), $0.0123"],
])("%s", (_, cost, used, text) => expect(describeSpend({ spend: cost, usage: used })).toBe(text));
