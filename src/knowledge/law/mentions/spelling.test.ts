import fc from "fast-check";
import { describe, expect, test } from "vitest";
import { route } from "../router/route.ts";
import { readSpelling } from "./spelling.ts";

describe("a question is read as its writer meant it", () => {
  test.each([
    ["short forms", "gmn hukumnya klo org minang ga setuju", "bagaimana hukumnya kalau orang minang tidak setuju"],
    ["doubled words", "anak laki2 dan anak2", "anak laki-laki dan anak-anak"],
    ["a letter too few", "ayah meningal", "ayah meninggal"],
    ["a letter too many", "sawah pusakko", "sawah pusako"],
    ["vowels left out", "tnah warisn", "tanah warisan"],
    ["a name", "adat Minangkbau", "adat minangkabau"],
    ["English", "the inheritence of the duaghter", "the inheritance of the daughter"],
  ])("%s", (_, asked, read) => {
    expect(readSpelling(asked).text).toBe(read);
  });

  test.each([
    ["a word of the language", "wasit itu daring"],
    ["a town that is near to a term", "rumah di Bandung"],
    ["a name that is near to a term", "Pak Warisman"],
    ["an acronym", "PN dan KUA"],
    ["an unknown adat word", "rumah parsadaan"],
    ["an inflected English word", "the mothers are asking"],
  ])("%s stays as it is", (_, asked) => {
    expect(readSpelling(asked)).toEqual({ text: asked, mended: [] });
  });

  test("what was read otherwise is said with the route", () => {
    expect(route("Bolehkah sawah pusakko digadaikan?").rationale).toContain("read as: pusakko → pusako");
  });

  test("reading again changes nothing more", () => {
    const word = fc.constantFrom("gmn", "pusakko", "laki2", "Bali", "tnah", "KUA", "meningal", "xyzzy", "the", "sawah");
    fc.assert(
      fc.property(fc.array(word, { maxLength: 12 }), (words) => {
        const once = readSpelling(words.join(" ")).text;
        expect(readSpelling(once).text).toBe(once);
      }),
      { numRuns: 200 },
    );
  });

  test("a long question is read in bounded time", () => {
    const text = "pusakkotinggisekali ".repeat(5_000);
    const before = process.threadCpuUsage();
    readSpelling(text);
    expect(process.threadCpuUsage(before).user).toBeLessThan(2_000_000);
  });
});
