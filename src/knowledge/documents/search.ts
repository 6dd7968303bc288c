import { type Bag, type Bm25, buildBm25 } from "../../text/bm25.ts";
import type { Sentence } from "./sentences.ts";
import { listTerms, splitWords } from "./terms.ts";

/** A sentence found, with how well it matches. */
export type Hit = { sentence: Sentence; score: number };

type Index = { bags: Bag[]; bm25: Bm25 };

const indexes = new WeakMap<Sentence[], Index>();
const weights = { saturation: 1.2, lengthPenalty: 0.7, floor: 0.5 };

/** Ranks sentences by BM25 over their terms; one that has more of the asked terms comes first. */
export function searchSentences(sentences: Sentence[], query: string, limit: number): Hit[] {
  const { bags, bm25 } = getIndex(sentences);
  const asked = countTerms(query);
  const shared = (position: number): number => [...asked.keys()].filter((term) => bags[position]?.has(term)).length;
  return [...bm25.score(asked)]
    .map(([position, score]) => ({ sentence: sentences[position] as Sentence, score: score * shared(position) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}

function getIndex(sentences: Sentence[]): Index {
  let known = indexes.get(sentences);
  if (!known) {
    const bags = sentences.map(({ text }) => countTerms(text));
    const lengths = sentences.map(({ text }) => new Set(splitWords(text)).size);
    known = { bags, bm25: buildBm25(bags, { ...weights, lengths }) };
    indexes.set(sentences, known);
  }
  return known;
}

function countTerms(text: string): Bag {
  const bag: Bag = new Map();
  for (const term of listTerms(text)) bag.set(term, (bag.get(term) ?? 0) + 1);
  return bag;
}
