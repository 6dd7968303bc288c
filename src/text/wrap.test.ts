import fc from "fast-check";
import stringWidth from "string-width";
import { expect, it } from "vitest";
import { isPlain, measureDisplayWidth, wrap, wrapColoured } from "./layout.ts";

it("breaks at spaces, and a longer word stands alone", () => {
  expect(wrap("one two  three\nfour", 9)).toEqual(["one two", "three", "four"]);
  expect(wrap("a incomprehensibilities b", 5)).toEqual(["a", "incomprehensibilities", "b"]);
  expect(wrap("  ", 9)).toEqual([]);
});

it("counts columns, not characters: Hangul takes two, colours none", () => {
  for (const line of wrap("음식이 정말 맛있고 서비스도 친절했어요", 16))
    expect(measureDisplayWidth(line)).toBeLessThanOrEqual(16);
  expect(wrap("\u001B[31mred\u001B[39m word", 8)).toHaveLength(1);
});

it("plain text is broken where coloured text is", () => {
  const words = fc.array(fc.stringMatching(/^[!-~]{1,9}$/), { minLength: 1, maxLength: 12 });
  fc.assert(
    fc.property(words, fc.integer({ min: 1, max: 20 }), (some, width) => {
      expect(wrap(some.join(" "), width)).toEqual(wrapColoured(some.join(" "), width));
    }),
  );
});

it("every plain character takes one column, alone and beside any other", () => {
  const characters = Array.from({ length: 0x3000 }, (_, code) => String.fromCharCode(code)).filter(isPlain);
  expect(characters.length).toBeGreaterThan(300);
  for (const [at, one] of characters.entries())
    expect(stringWidth(`${one}${characters[(at * 7) % characters.length]}`), one).toBe(2);
});
