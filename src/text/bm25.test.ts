import { expect, test } from "vitest";
import { type Bag, buildBm25 } from "./search.ts";

const bagOf = (text: string): Bag => {
  const bag: Bag = new Map();
  for (const word of text.split(" ")) bag.set(word, (bag.get(word) ?? 0) + 1);
  return bag;
};
const documents = ["land land law", "land house", "house house garden tree"].map(bagOf);

test("a score is the formula's, and only documents that share a word have one", () => {
  const scores = buildBm25(documents).score(bagOf("law"));
  const idf = Math.log(1 + (3 - 1 + 0.5) / (1 + 0.5));
  const norm = 1.2 * (1 - 0.4 + (0.4 * 3) / 3);
  expect([...scores]).toEqual([[0, expect.closeTo((idf * 2.2) / (1 + norm), 12)]]);
});

test("a rarer word is more telling, and one that no document has is the rarest", () => {
  const { idf } = buildBm25(documents);
  expect(idf("law")).toBeGreaterThan(idf("land"));
  expect(idf("nowhere")).toBeGreaterThan(idf("law"));
});

test("the query's weights count, and so do those of the documents", () => {
  const index = buildBm25(documents);
  const once = index.score(bagOf("land"));
  expect(once.get(0) ?? 0).toBeGreaterThan(once.get(1) ?? 0);
  expect(index.score(new Map([["land", 3]])).get(0)).toBeCloseTo(3 * (once.get(0) ?? 0), 12);
});

test("each option does what it says", () => {
  const query = bagOf("house");
  const plain = buildBm25(documents, { lengthPenalty: 0 }).score(query);
  const ofLengths = buildBm25(documents, { lengthPenalty: 1, lengths: [1, 1, 10] }).score(query);
  expect(plain.get(2) ?? 0).toBeGreaterThan(plain.get(1) ?? 0);
  expect(ofLengths.get(2) ?? 0).toBeLessThan(ofLengths.get(1) ?? 0);
});

test("an index of nothing finds nothing", () => {
  expect(buildBm25([]).score(bagOf("land")).size).toBe(0);
});
