import { expect, test } from "vitest";
import { cosine, sentenceVector, similarity, wordVector } from "./vectors.ts";

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

test("similarity is 1 for the same word and 0 for one that is unknown", () => {
  expect(similarity("Zzqx", "zzqx")).toBe(1);
  expect(similarity("zzqx", "price")).toBe(0);
  expect(similarity("fee", "price")).toBeGreaterThan(similarity("fee", "garden"));
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
