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

/** The bytes that journals were hashed by from the first version on. */
function encodeByReplacer(value: unknown): string {
  return (
    JSON.stringify(value, (_key, part: unknown) => {
      if (part === null || typeof part !== "object" || Array.isArray(part)) return part;
      const sorted = Object.create(null) as Record<string, unknown>;
      for (const key of Object.keys(part).sort()) sorted[key] = (part as Record<string, unknown>)[key];
      return sorted;
    }) ?? "null"
  );
}

const keys = fc.oneof(
  fc.string(),
  fc.nat().map(String),
  fc.constantFrom("4294967295", "4294967294", "01", "-1", "1e3"),
);

it("the bytes of a value are what they were when it was first recorded", () => {
  const values = fc.letrec((tie) => ({
    value: fc.oneof(
      { maxDepth: 4 },
      fc.jsonValue(),
      fc.constantFrom(undefined, -0, Number.NaN, "\ud800", new Date(0)),
      fc.array(tie("value")),
      fc.dictionary(keys, tie("value")),
    ),
  })).value;
  fc.assert(
    fc.property(values, (value) => {
      expect(encodeCanonicalJson(value)).toBe(encodeByReplacer(value));
    }),
  );
});
