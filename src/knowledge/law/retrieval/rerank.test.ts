import { expect, it } from "vitest";
import { rerank, listTextsToEmbed } from "./rerank.ts";
import { retrieve } from "./retrieve.ts";

const retrieval = retrieve("Bolehkah pusako tinggi digadaikan?");

it("closeness in meaning moves an item up, and nothing is lost", () => {
  const texts = listTextsToEmbed(retrieval);
  const last = retrieval.evidence.at(-1)?.id;
  const vectors = texts.map((_, index) => (index === 0 || index === texts.length - 1 ? [1, 0] : [0, 1]));
  const ranked = rerank(retrieval, vectors).evidence.map(({ id }) => id);
  expect(ranked.indexOf(last ?? "")).toBeLessThan(retrieval.evidence.length - 1);
  expect(ranked.toSorted()).toEqual(retrieval.evidence.map(({ id }) => id).toSorted());
});

it("embeddings that tell nothing apart keep the order", () => {
  const same = listTextsToEmbed(retrieval).map(() => [1, 0]);
  expect(rerank(retrieval, same).evidence.map(({ id }) => id)).toEqual(retrieval.evidence.map(({ id }) => id));
});

it("a missing vector is an error", () => expect(() => rerank(retrieval, [[1]])).toThrow(/vectors/));
