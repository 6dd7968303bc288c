import fc from "fast-check";
import { expect, it } from "vitest";
import { makePrintable } from "./format.ts";

it.each([
  ["text in any script, tabs and lines", "맛은 좋다\tαβγ\r\nعربي 👩‍🚀", "맛은 좋다\tαβγ\r\nعربي 👩‍🚀"],
  ["colours and cursor moves", "\u001B[31mred\u001B[2J", "\\u001b[31mred\\u001b[2J"],
  ["titles and links", "\u001B]8;;http://x\u0007", "\\u001b]8;;http://x\\u0007"],
  ["one-byte sequences", "\u009B31m", "\\u009b31m"],
  ["a line written over", "fine\rfail", "fine\\u000dfail"],
  ["turned direction", "a\u202Eb\u2066c", "a\\u202eb\\u2066c"],
])("%s", (_name, text, shown) => expect(makePrintable(text)).toBe(shown));

it("JSON stays the same JSON, and nothing that steers is left", () => {
  fc.assert(
    fc.property(fc.jsonValue({ stringUnit: "binary" }), (value) => {
      const shown = makePrintable(JSON.stringify(value));
      expect(JSON.parse(shown)).toEqual(JSON.parse(JSON.stringify(value)));
      expect(shown).not.toMatch(/[\u0000-\u0008\u000B-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/);
    }),
  );
});
