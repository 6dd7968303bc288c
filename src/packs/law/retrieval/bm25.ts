/** A document as weighted features (stems, concepts). */
export type Bag = Map<string, number>;

/** BM25 over bags of features: `score` ranks, `idf` says how telling a feature is. */
export type Bm25 = {
  /** Scores of the documents that share a feature with the query, by position. */
  score(query: Bag): Map<number, number>;
  /** The feature's weight; one that no document has counts as the rarest. */
  idf(feature: string): number;
  has(feature: string): boolean;
};

const saturation = 1.2;
const lengthPenalty = 0.4;

/** Builds the index (Robertson and Zaragoza's BM25, with a mild length penalty because statements are short). */
export function bm25(documents: Bag[]): Bm25 {
  const lengths = documents.map((bag) => sum(bag.values()));
  const meanLength = sum(lengths) / Math.max(1, lengths.length);
  const postings = new Map<string, [document: number, weight: number][]>();
  documents.forEach((bag, document) => {
    for (const [feature, weight] of bag) postings.set(feature, [...(postings.get(feature) ?? []), [document, weight]]);
  });
  const idf = (feature: string) => {
    const holders = postings.get(feature)?.length ?? 0;
    return Math.log(1 + (documents.length - holders + 0.5) / (holders + 0.5));
  };
  const gain = (document: number, weight: number) => {
    const norm = saturation * (1 - lengthPenalty + lengthPenalty * ((lengths[document] ?? 0) / meanLength));
    return (weight * (saturation + 1)) / (weight + norm);
  };
  const score = (query: Bag) => {
    const scores = new Map<number, number>();
    for (const [feature, wanted] of query) {
      for (const [document, weight] of postings.get(feature) ?? []) {
        scores.set(document, (scores.get(document) ?? 0) + wanted * idf(feature) * gain(document, weight));
      }
    }
    return scores;
  };
  return { score, idf, has: (feature) => postings.has(feature) };
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}
