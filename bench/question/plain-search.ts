import { buildBm25, listTerms } from "../../src/text/search.ts";
import { segmentSentences } from "../../src/text/split-text.ts";

/** The best sentence or line of a plain BM25 search: what the experts have to beat. */
export function createPlainSearch(docs: { id: string; text: string }[]): (question: string) => string | null {
  const sentences = docs.flatMap(({ text }) =>
    text.split("\n").flatMap((line) => [...segmentSentences(line)].filter((one) => /\p{L}|\p{N}/u.test(one))),
  );
  const bagOf = (text: string): Map<string, number> =>
    new Map([...Map.groupBy(listTerms(text), (term) => term)].map(([term, found]) => [term, found.length]));
  const index = buildBm25(sentences.map(bagOf));
  return (question) => {
    const [best] = [...index.score(bagOf(question))].toSorted((a, b) => b[1] - a[1]);
    return best ? (sentences[best[0]] ?? null) : null;
  };
}
