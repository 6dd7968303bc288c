import fc from "fast-check";
import { expect, it } from "vitest";
import { packText, unpackText } from "./pack-text.ts";

const anyText = fc
  .tuple(fc.string({ unit: "grapheme", maxLength: 300 }), fc.integer({ min: 1, max: 400 }))
  .map(([text, times]) => text.repeat(times));

it("a text comes back as it was, whatever was packed before it", () => {
  fc.assert(
    fc.property(fc.array(anyText, { minLength: 1, maxLength: 6 }), (texts) => {
      const packed = texts.map((text) => packText(text));
      expect(packed.map((data) => unpackText(data))).toEqual(texts);
    }),
  );
});
