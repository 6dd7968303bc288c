import MiniSearch from "minisearch";
import type { Sentence } from "./sentences.ts";
import { splitWords, termOf } from "./terms.ts";

/** A sentence found, with how well it matches. */
export type Hit = { sentence: Sentence; score: number };

type Index = { index: MiniSearch<Sentence>; byId: Map<string, Sentence> };

const indexes = new WeakMap<Sentence[], Index>();

/** Ranks sentences by BM25 over their terms. */
export function searchSentences(sentences: Sentence[], query: string, limit: number): Hit[] {
  const { index, byId } = buildIndex(sentences);
  return index
    .search(query, { combineWith: "OR" })
    .slice(0, limit)
    .map(({ id, score }) => ({ sentence: byId.get(id as string) as Sentence, score }));
}

function buildIndex(sentences: Sentence[]): Index {
  let known = indexes.get(sentences);
  if (!known) {
    const index = new MiniSearch<Sentence>({ fields: ["text"], processTerm: termOf, tokenize: splitWords });
    index.addAll(sentences);
    known = { index, byId: new Map(sentences.map((sentence) => [sentence.id, sentence])) };
    indexes.set(sentences, known);
  }
  return known;
}
