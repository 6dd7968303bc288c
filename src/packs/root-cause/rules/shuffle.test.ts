import fc from "fast-check";
import { expect, it } from "vitest";
import { stem, stemmedDice } from "./dice.ts";
import { shuffleBySeed } from "./shuffle.ts";

it("a shuffle keeps all items, repeats for its seed and differs between seeds", () => {
  fc.assert(
    fc.property(fc.array(fc.integer()), fc.integer(), (items, seed) => {
      const shuffled = shuffleBySeed(items, seed);
      const ascending = (a: number, b: number) => a - b;
      expect(shuffled.toSorted(ascending)).toEqual(items.toSorted(ascending));
      expect(shuffleBySeed(items, seed)).toEqual(shuffled);
    }),
  );
  const orders = new Set([1, 2, 3, 4, 5].map((seed) => shuffleBySeed([1, 2, 3, 4, 5, 6], seed).join()));
  expect(orders.size).toBeGreaterThan(1);
});

it.each([
  ["exhausted", "exhausts"],
  ["exhausted", "exhausting"],
  ["failing", "failed"],
  ["disks", "disk"],
  ["retries", "retry"],
  ["timed", "timing"],
])("%s and %s share a stem", (a, b) => expect(stem(a)).toBe(stem(b)));

it("Dice is symmetric, 1 for a text with itself and 0 without shared words", () => {
  fc.assert(fc.property(fc.string(), fc.string(), (a, b) => stemmedDice(a, b) === stemmedDice(b, a)));
  expect(stemmedDice("the disk of the worker is full", "worker disk full")).toBe(1);
  expect(stemmedDice("disk full", "certificate expired")).toBe(0);
  expect(stemmedDice("", "")).toBe(0);
});
