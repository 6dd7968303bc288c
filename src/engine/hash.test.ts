import fc from "fast-check";
import { expect, it } from "vitest";
import { encodeCanonicalJson } from "./hash.ts";

it("equal values have equal bytes, whatever the order of their keys", () => {
  fc.assert(
    fc.property(fc.dictionary(fc.string(), fc.jsonValue()), (value) => {
      const turned = Object.fromEntries(Object.entries(value).toReversed());
      expect(encodeCanonicalJson(turned)).toBe(encodeCanonicalJson(value));
      expect(JSON.parse(encodeCanonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)));
    }),
  );
});

it("undefined is left out, as JSON leaves it out", () => {
  expect(encodeCanonicalJson({ b: undefined, a: [undefined, 1] })).toBe('{"a":[null,1]}');
});
