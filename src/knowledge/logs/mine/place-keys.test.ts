import * as fc from "fast-check";
import { expect, test } from "vitest";
import { listPlaceKeys } from "./place-keys.ts";

const texts = fc.array(fc.constantFrom("a", "b", "job", "=", "7", ""), { minLength: 1, maxLength: 8 });

test("two lists have the same key for a place exactly when they agree everywhere else", () => {
  fc.assert(
    fc.property(texts, texts, fc.nat(7), (one, other, place) => {
      fc.pre(place < one.length && place < other.length);
      const agree = one.length === other.length && one.every((text, at) => at === place || text === other[at]);
      expect(listPlaceKeys(one)[place] === listPlaceKeys(other)[place]).toBe(agree);
    }),
  );
});

test("different places of one list have different keys", () => {
  fc.assert(
    fc.property(texts, (list) => {
      expect(new Set(listPlaceKeys(list)).size).toBe(list.length);
    }),
  );
});
