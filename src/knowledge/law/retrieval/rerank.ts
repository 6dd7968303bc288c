import { cosine } from "../../../text/cosine.ts";
import type { Retrieval } from "./retrieval.ts";

/** How much of the order the embeddings decide; the rest stays with terms, graph and rules. */
const meaningShare = 0.5;

/** The texts whose embeddings `rerank` needs: the question, then each item's title and statement. */
export function listTextsToEmbed({ query, language, evidence }: Retrieval): string[] {
  const said = evidence.map((item) =>
    language === "en" ? `${item.title_en}. ${item.statement_en}` : `${item.title}. ${item.statement}`,
  );
  return [query, ...said];
}

/** Reorders the evidence by a mean of its score and its closeness in meaning (law spec §2.1, where a model is configured). */
export function rerank(retrieval: Retrieval, vectors: number[][]): Retrieval {
  const [query, ...items] = vectors;
  if (!query || items.length !== retrieval.evidence.length)
    throw new Error(`rerank needs ${retrieval.evidence.length + 1} vectors`);
  const best = Math.max(...retrieval.evidence.map(({ score }) => score), Number.EPSILON);
  const closeness = items.map((item) => cosine(query, item));
  const [low, high] = [Math.min(...closeness), Math.max(...closeness)];
  const evidence = retrieval.evidence.map((item, index) => {
    const meaning = ((closeness[index] ?? low) - low) / (high - low || 1);
    return { ...item, score: (1 - meaningShare) * (item.score / best) + meaningShare * meaning };
  });
  return { ...retrieval, evidence: evidence.toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1)) };
}
