import { expect, test } from "vitest";
import { cosine } from "./similar.ts";
import { sentenceVector, wordVector } from "./vectors.ts";

function likeness(a: string, b: string): number {
  return cosine(wordVector(a) ?? new Float32Array(), wordVector(b) ?? new Float32Array());
}

test("words of like meaning are nearer than unrelated ones", () => {
  expect(likeness("buy", "purchase")).toBeGreaterThan(0.6);
  expect(likeness("rent", "lease")).toBeGreaterThan(0.5);
  expect(likeness("dog", "lawyer")).toBeLessThan(0.2);
});

test("a vector has length 1, whatever the case of the word", () => {
  expect(likeness("Price", "price")).toBeCloseTo(1, 5);
});

test("an unknown word has none", () => {
  expect(wordVector("zzqx")).toBeNull();
});

test("sentences are near where their weighty words are", () => {
  const vectorOf = (text: string): Float32Array =>
    sentenceVector(text.split(" "), (word) => (word.length > 3 ? 1 : 0.1)) ?? new Float32Array();
  const asked = vectorOf("how much does the ticket cost");
  expect(cosine(asked, vectorOf("the price of the fare is low"))).toBeGreaterThan(
    cosine(asked, vectorOf("the garden has roses and herbs")),
  );
  expect(sentenceVector(["zzqx"])).toBeNull();
});
