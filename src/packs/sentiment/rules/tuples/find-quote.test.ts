import fc from "fast-check";
import { expect, it } from "vitest";
import { findQuote } from "./find-quote.ts";

const text = "The owner said “it\u2019s fine”, but the\u00a0soup (a small one) was cold.";

it.each([
  ["as the text writes it", "the\u00a0soup", "the\u00a0soup"],
  ["with other spaces", "the  soup (a small\n one)", "the\u00a0soup (a small one)"],
  ["with straight quotes", `said "it's fine`, "said “it\u2019s fine"],
  ["in quotes of its own", '"was cold"', "was cold"],
  ["nothing at all", "  ", ""],
])("a quote %s is found", (_, quote, found) => expect(findQuote(text, quote)).toBe(found));

it.each(["the soup was cold", "the stew", "x".repeat(5000), "[a-z]+"])("%j is not in the text", (quote) =>
  expect(findQuote(text, quote)).toBeNull(),
);

it("whatever is asked for, what is found is in the text", () => {
  fc.assert(
    fc.property(fc.string({ unit: "grapheme" }), fc.string({ unit: "grapheme" }), (whole, quote) => {
      const found = findQuote(whole, quote);
      expect(found === null || whole.includes(found)).toBe(true);
    }),
    { numRuns: 500 },
  );
});
