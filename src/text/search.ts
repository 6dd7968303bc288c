import { readFileSync } from "node:fs";
import { remember } from "./remember.ts";
import { irregularForms, isKorean, stemEnglish, stemKorean } from "./stems.ts";

const lists = JSON.parse(readFileSync(new URL("../../data/text/stop-words.json", import.meta.url), "utf8")) as object;
const stopWords = new Set(Object.values(lists).flatMap((list: string) => list.split(" ")));

export function splitWords(text: string): string[] {
  return (
    text
      .normalize("NFKC")
      .toLowerCase()
      .match(/[\p{L}\p{M}]+|\p{N}+(?:[.,]\p{N}+)*/gu) ?? []
  );
}

/** A word in the form in which it is matched; null for words that carry nothing. The commonest words are remembered. */
export const termOf = remember(25_000, (word: string): string | null => {
  if (stopWords.has(word)) return null;
  const stem = isKorean(word) ? stemKorean(word) : stemEnglish(irregularForms.get(word) ?? word);
  return stem === "" || stopWords.has(stem) ? null : stem;
});

export function listTerms(text: string): string[] {
  return splitWords(text).flatMap((word) => termOf(word) ?? []);
}

export type Bag = Map<string, number>;

export type Bm25 = {
  /** Scores of the documents that share a word with the query, by their position. */
  score(query: Bag): Map<number, number>;
  /** The word's weight; one that no document has counts as the rarest. */
  idf(word: string): number;
};

/** `lengthPenalty` is how much longer documents are marked down, 0..1 (b); `lengths` are those of whole documents. */
type Bm25Options = { lengthPenalty?: number; lengths?: number[] };

/** How soon further occurrences of a word stop counting (k₁). */
const saturation = 1.2;

/** Builds the index: Robertson and Zaragoza's BM25, by default with a mild length penalty for short statements. */
export function buildBm25(documents: Bag[], options: Bm25Options = {}): Bm25 {
  const { lengthPenalty = 0.4, lengths = documents.map(sumWeights) } = options;
  const meanLength = sum(lengths) / Math.max(1, lengths.length);
  const postings = indexPostings(documents);
  const idf = (word: string): number => {
    const holders = postings.get(word)?.length ?? 0;
    return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
  };
  const gain = (document: number, weight: number): number => {
    if (weight <= 0) return 0;
    const norm = saturation * (1 - lengthPenalty + lengthPenalty * ((lengths[document] ?? 0) / meanLength));
    return (weight * (saturation + 1)) / (weight + norm);
  };
  const score = (query: Bag) => {
    const scores = new Map<number, number>();
    for (const [word, wanted] of query) {
      for (const [document, weight] of postings.get(word) ?? []) {
        scores.set(document, (scores.get(document) ?? 0) + wanted * idf(word) * gain(document, weight));
      }
    }
    return scores;
  };
  return { score, idf };
}

type Posting = [document: number, weight: number];

function indexPostings(documents: Bag[]): Map<string, Posting[]> {
  const postings = new Map<string, Posting[]>();
  for (const [document, bag] of documents.entries()) {
    for (const [word, weight] of bag) {
      const known = postings.get(word);
      if (known) known.push([document, weight]);
      else postings.set(word, [[document, weight]]);
    }
  }
  return postings;
}

function sumWeights(bag: Bag): number {
  return sum(bag.values());
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
