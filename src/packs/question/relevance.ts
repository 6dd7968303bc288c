import { type Sentence, terms, words } from "./retrieval.ts";

/** How a reader weighs a sentence: by itself, with its neighbours, or by how close the asked words stand together. */
export type Lens = "sentence" | "passage" | "proximity";

export const lenses: readonly Lens[] = ["sentence", "passage", "proximity"];

/** Says how much of a query a sentence covers (0..1), rare words counting more. */
export type Relevance = (sentence: Sentence, query: string) => number;

/** Relevance over a set of sentences through a lens. */
export function relevanceOf(sentences: Sentence[], lens: Lens): Relevance {
  const frequency = frequencyOf(sentences);
  const weight = (word: string): number => Math.log(1 + sentences.length / (1 + (frequency.get(word) ?? 0)));
  return ({ text, context }, query) => {
    const wanted = [...new Set(terms(query))];
    const total = wanted.reduce((sum, word) => sum + weight(word), 0);
    if (total === 0) return 0;
    const inText = new Set(terms(text));
    const inContext = new Set(terms(context));
    const covered = (found: Set<string>): number =>
      wanted.filter((word) => found.has(word)).reduce((sum, word) => sum + weight(word), 0) / total;
    const own = covered(inText);
    if (lens === "passage") return 0.6 * own + 0.4 * covered(inContext);
    return lens === "proximity" ? own * (0.7 + 0.3 * closeness(text, wanted)) : own;
  };
}

const frequencies = new WeakMap<Sentence[], Map<string, number>>();

/** In how many sentences each word stands. */
function frequencyOf(sentences: Sentence[]): Map<string, number> {
  let frequency = frequencies.get(sentences);
  if (!frequency) {
    frequency = new Map();
    for (const { text } of sentences)
      for (const word of new Set(terms(text))) frequency.set(word, (frequency.get(word) ?? 0) + 1);
    frequencies.set(sentences, frequency);
  }
  return frequency;
}

/** 1 when the asked words stand side by side, falling as they spread. */
function closeness(text: string, wanted: string[]): number {
  const places = words(text).flatMap((word, index) => (terms(word).some((one) => wanted.includes(one)) ? [index] : []));
  const [first = 0] = places;
  const span = (places.at(-1) ?? 0) - first + 1;
  return places.length < 2 ? 0 : places.length / span;
}
