import { expect, test } from "vitest";
import { compareRates } from "./compare-rates.ts";

test.each([
  ["only in the log", 5, 0, "new"],
  ["only in the reference", 0, 5, "vanished"],
  ["far more often", 100, 20, "more"],
  ["far less often", 10, 90, "less"],
  ["about as often", 52, 48, "same"],
  ["twice, but too few to tell", 4, 2, "same"],
])("%s", (_, count, referenceCount, change) => {
  expect(compareRates({ count, events: 1000, referenceCount, referenceEvents: 1000 })).toBe(change);
});

test("it is the rate that counts, not the number", () => {
  expect(compareRates({ count: 500, events: 10_000, referenceCount: 50, referenceEvents: 1000 })).toBe("same");
  expect(compareRates({ count: 50, events: 100, referenceCount: 50, referenceEvents: 1000 })).toBe("more");
});
