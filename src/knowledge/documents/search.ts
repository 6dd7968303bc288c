import type { Sentence } from "./sentences.ts";
import { listTerms } from "./terms.ts";

/** A sentence found, with how well it matches. */
export type Hit = { sentence: Sentence; score: number };

const saturation = 1.2;
const lengthShare = 0.75;
/** What a word in the headings or the question above a sentence counts, beside one in the sentence. */
const inTopic = 0.5;

/** Ranks sentences by BM25 over their terms; those of the headings and questions above them count by half. One pass, without an index: documents are asked about once. */
export function searchSentences(sentences: readonly Sentence[], query: string, limit: number): Hit[] {
  const wanted = [...new Set(listTerms(query))];
  const found: { sentence: Sentence; counts: number[]; length: number }[] = [];
  const having = wanted.map(() => 0);
  let words = 0;
  const topics = new Map<string, number[]>();
  for (const sentence of sentences) {
    const terms = listTerms(sentence.text);
    words += terms.length;
    const above = topics.get(sentence.topic) ?? countWanted(listTerms(sentence.topic), wanted);
    topics.set(sentence.topic, above);
    const counts = countWanted(terms, wanted).map((count, index) => count + inTopic * Math.min(1, above[index] ?? 0));
    if (counts.every((count) => count === 0)) continue;
    for (const [index, count] of counts.entries()) if (count >= 1) having[index] = (having[index] ?? 0) + 1;
    found.push({ sentence, counts, length: terms.length });
  }
  const mean = Math.max(1, words / Math.max(1, sentences.length));
  const rarity = having.map((count) => Math.log(1 + (sentences.length - count + 0.5) / (count + 0.5)));
  const score = ({ counts, length }: (typeof found)[number]): number =>
    counts.reduce((sum, count, index) => {
      const weight =
        (count * (saturation + 1)) / (count + saturation * (1 - lengthShare + (lengthShare * length) / mean));
      return sum + (rarity[index] ?? 0) * weight;
    }, 0);
  return found
    .map((one) => ({ sentence: one.sentence, score: score(one) }))
    .toSorted((a, b) => b.score - a.score)
    .slice(0, limit);
}

function countWanted(terms: string[], wanted: string[]): number[] {
  return wanted.map((word) => terms.filter((term) => term === word).length);
}
