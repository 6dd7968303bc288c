import { computeGain, computeRarity } from "../../text/bm25.ts";
import type { Sentence } from "./sentences.ts";
import { listTerms, splitWords, termOf } from "./terms.ts";

/** A sentence found, with how well it matches. */
export type Hit = { sentence: Sentence; score: number };

/** A search that reads sentences one by one and keeps only what those that match need; places count from 0. */
export type Scan = {
  add(sentence: Pick<Sentence, "said" | "about">): void;
  size(): number;
  rank(limit: number): { place: number; score: number }[];
};

const weighing = { saturation: 1.2, lengthPenalty: 0.75, floor: 0 };
/** What a word in the headings or the question above a sentence counts, beside one in the sentence. */
const inTopic = 0.5;

/** Ranks sentences by BM25 over their terms; those of the headings and questions above them count by half. */
export function searchSentences(sentences: readonly Sentence[], query: string, limit: number): Hit[] {
  const scan = createScan(query);
  for (const sentence of sentences) scan.add(sentence);
  return scan.rank(limit).flatMap(({ place, score }) => {
    const sentence = sentences[place];
    return sentence ? [{ sentence, score }] : [];
  });
}

/** Begins a search. One pass, without an index: documents are asked about once, and need not be held whole. */
export function createScan(query: string): Scan {
  const wanted = [...new Set(listTerms(query))];
  const places = new Map(wanted.map((word, place) => [word, place]));
  const having = wanted.map(() => 0);
  const found: { place: number; counts: number[]; length: number }[] = [];
  let [sentences, words, about] = [0, 0, ""];
  let above: number[] = wanted.map(() => 0);
  return {
    size: () => sentences,
    add(sentence) {
      if (sentence.about !== about) above = countWanted(sentence.about, places).counts;
      about = sentence.about;
      const { counts: own, length } = countWanted(sentence.said, places);
      words += length;
      const counts = own.map((count, index) => count + inTopic * Math.min(1, above[index] ?? 0));
      if (counts.some((count) => count > 0)) found.push({ place: sentences, counts, length });
      for (const [index, count] of counts.entries()) if (count >= 1) having[index] = (having[index] ?? 0) + 1;
      sentences += 1;
    },
    rank(limit) {
      const mean = Math.max(1, words / Math.max(1, sentences));
      const rarity = having.map((holders) => computeRarity(sentences, holders));
      const score = ({ counts, length }: (typeof found)[number]): number =>
        counts.reduce(
          (sum, count, index) => sum + (rarity[index] ?? 0) * computeGain(count, length / mean, weighing),
          0,
        );
      return found
        .map((one) => ({ place: one.place, score: score(one) }))
        .toSorted((a, b) => b.score - a.score)
        .slice(0, limit);
    },
  };
}

/** How often each wanted term stands in a text, and how many terms it has. */
function countWanted(text: string, places: Map<string, number>): { counts: number[]; length: number } {
  const counts = Array.from(places, () => 0);
  let length = 0;
  for (const word of splitWords(text)) {
    const term = termOf(word);
    if (term === null || term === "") continue;
    length += 1;
    const place = places.get(term);
    if (place !== undefined) counts[place] = (counts[place] ?? 0) + 1;
  }
  return { counts, length };
}
