import { readFileSync } from "node:fs";
import { expect, it } from "vitest";

function entries(path: string): [string, number][] {
  const text = readFileSync(new URL(`../../../data/sentiment/${path}`, import.meta.url), "utf8");
  return text.split("\n").flatMap((line) => {
    const match = /^([+-]?\d)\s+(.+)$/.exec(line);
    return match ? (match[2] as string).split(/\s+/).map((word): [string, number] => [word, Number(match[1])]) : [];
  });
}

it.each(["en/opinion.txt", "ko/opinion.txt"])("%s lists each word once, with a strength of -3 to 3", (path) => {
  const words = entries(path);
  expect(words.length).toBeGreaterThan(1000);
  expect(words.filter(([, value]) => Math.abs(value) > 3)).toEqual([]);
  const twice = words.map(([word]) => word).filter((word, at, all) => all.indexOf(word) !== at);
  expect(twice).toEqual([]);
});

it("the derived list adds only words that our own list does not have", () => {
  const own = new Set(entries("en/opinion.txt").map(([word]) => word));
  const derived = entries("en/derived.txt").map(([word]) => word);
  expect(derived.length).toBeGreaterThan(3000);
  expect(new Set(derived).size).toBe(derived.length);
  expect(derived.filter((word) => own.has(word))).toEqual([]);
});
