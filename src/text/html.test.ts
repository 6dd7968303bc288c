import fc from "fast-check";
import { expect, it } from "vitest";
import { escapeAttribute } from "./layout.ts";

const marks = "<>\"'`&;/= ax가\u0000\u001B\u009B\u202E\u2066\n".split("");

it("no text opens a tag, closes an attribute or leaves a control character", () => {
  fc.assert(
    fc.property(fc.string({ unit: fc.constantFrom(...marks) }), (text) => {
      expect(escapeAttribute(text)).not.toMatch(/[<>"'`\u0000-\u001F\u202A-\u202E\u2066-\u2069]/);
    }),
  );
});
