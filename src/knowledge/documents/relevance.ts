import type { Sentence } from "./sentences.ts";
import { listTerms, splitWords } from "./terms.ts";

/** How a reader weighs a sentence: by itself, with its neighbours, or by how close the asked words stand together. */
export type Lens = "sentence" | "passage" | "proximity";

export const lenses = ["sentence", "passage", "proximity"] as const satisfies readonly Lens[];

/** Says how much of a query a sentence covers (0..1), rare words counting more. */
export type Relevance = (sentence: Sentence, query: string) => number;

/** What a word counts that stands in the headings, the question or the sentence that a sentence leans on, or in its neighbours. */
const inTopicShare = 0.6;
const nearbyShare = 0.4;

/** Builds the relevance of a set of sentences, seen through a lens. */
export function createRelevance(sentences: Sentence[], lens: Lens): Relevance {
  const frequency = countTerms(sentences);
  const weigh = (word: string): number => Math.log(1 + sentences.length / (1 + (frequency.get(word) ?? 0)));
  return ({ said, about, context }, query) => {
    const wanted = [...new Set(listTerms(query))];
    const total = wanted.reduce((sum, word) => sum + weigh(word), 0);
    if (total === 0) return 0;
    const [own, above] = [new Set(listTerms(said)), new Set(listTerms(about))];
    const near = lens === "passage" ? new Set(listTerms(context)) : new Set<string>();
    const closeness = lens === "proximity" ? 0.8 + 0.2 * measureCloseness(said, wanted) : 1;
    const share = (word: string): number => {
      if (own.has(word)) return closeness;
      return above.has(word) ? inTopicShare : near.has(word) ? nearbyShare : 0;
    };
    return wanted.reduce((sum, word) => sum + weigh(word) * share(word), 0) / total;
  };
}

/** Counts the asked words that a sentence holds itself, or what it is about does. */
export function countSharedTerms({ said, about }: Pick<Sentence, "said" | "about">, query: string): number {
  const own = new Set(listTerms(`${said} ${about}`));
  return [...new Set(listTerms(query))].filter((word) => own.has(word)).length;
}

/** Counts the words of a sentence, numbers aside, that a query does not have. */
export function countNewTerms({ said }: Pick<Sentence, "said">, query: string): number {
  const asked = new Set(listTerms(query));
  return [...new Set(listTerms(said))].filter((word) => !asked.has(word) && !/^\p{N}/u.test(word)).length;
}

const counts = new WeakMap<Sentence[], Map<string, number>>();

/** Counts in how many sentences each term stands. */
function countTerms(sentences: Sentence[]): Map<string, number> {
  let count = counts.get(sentences);
  if (!count) {
    count = new Map();
    for (const { said } of sentences)
      for (const word of new Set(listTerms(said))) count.set(word, (count.get(word) ?? 0) + 1);
    counts.set(sentences, count);
  }
  return count;
}

/** 1 when the asked words stand side by side, falling as they spread. */
function measureCloseness(text: string, wanted: string[]): number {
  const places = splitWords(text).flatMap((word, index) =>
    listTerms(word).some((one) => wanted.includes(one)) ? [index] : [],
  );
  const [first = 0] = places;
  const span = (places.at(-1) ?? 0) - first + 1;
  return places.length < 2 ? 0 : places.length / span;
}
