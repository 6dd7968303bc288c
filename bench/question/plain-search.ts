import { type Sentence, listTerms } from "../../src/knowledge/documents/index.ts";
import { buildBm25 } from "../../src/text/bm25.ts";

/** The best sentence of a plain BM25 search, headings and all: what the experts have to beat. */
export function createPlainSearch(sentences: Sentence[]): (question: string) => string | null {
  const bagOf = (text: string): Map<string, number> =>
    new Map([...Map.groupBy(listTerms(text), (term) => term)].map(([term, found]) => [term, found.length]));
  const index = buildBm25(sentences.map(({ text }) => bagOf(text)));
  return (question) => {
    const [best] = [...index.score(bagOf(question))].toSorted((a, b) => b[1] - a[1]);
    return best ? (sentences[best[0]]?.text ?? null) : null;
  };
}
