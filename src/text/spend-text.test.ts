import { expect, test } from "vitest";
import { formatSpend } from "./format.ts";

const spent = { calls: 3, tokens: 1200, usd: 0.0123, used: 1200, cached: 0 };

test.each([
  ["nothing", { calls: 0, tokens: 0, usd: 0, used: 0, cached: 0 }, "no model calls, free"],
  ["calls with their figures", spent, "3 calls, 1,200 tokens, $0.0123"],
  ["calls that were all refused", { ...spent, tokens: 0, used: 0, usd: null }, "3 calls, nothing was charged"],
  [
    "calls that came to nothing",
    { ...spent, used: 200, usd: null },
    "3 calls, 1,200 tokens (up to 1,000 in calls that failed or reported no usage), cost unknown",
  ],
  ["a cache", { ...spent, calls: 1, cached: 900 }, "1 call, 1,200 tokens (900 cached), $0.0123"],
])("%s", (_, amounts, text) => expect(formatSpend(amounts)).toBe(text));
