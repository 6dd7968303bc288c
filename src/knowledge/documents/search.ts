import { type Bag, buildBm25, remember, splitWords } from "../../text/search.ts";
import { cosine } from "../../text/similar.ts";
import { sentenceVector } from "../../text/vectors.ts";
import type { Asked } from "./asked.ts";
import type { Statement } from "./statements.ts";
import { listTerms, termsIn } from "./words.ts";

const inTopic = 0.5;

export function searchStatements(query: string, statements: readonly Statement[], limit: number): number[] {
  const bags = statements.map(({ said, about, title }) => {
    const bag: Bag = new Map([...termsIn(`${title} ${about}`)].map((term) => [term, inTopic]));
    for (const term of listTerms(said)) bag.set(term, (bag.get(term) ?? 0) + 1);
    return bag;
  });
  const lengths = statements.map(({ said }) => termsIn(said).size);
  const found = buildBm25(bags, { lengthPenalty: 0.75, lengths }).score(
    new Map(listTerms(query).map((one) => [one, 1])),
  );
  return [...found]
    .toSorted((a, b) => b[1] - a[1] || a[0] - b[0])
    .slice(0, limit)
    .map(([place]) => place);
}

/** Weights of a question's words among some statements, and the words no statement has. */
export type Weights = {
  of: ReadonlyMap<string, number>;
  whole: number;
  unknown: ReadonlySet<string>;
  idf(term: string): number;
};

export function weighWords({ terms }: Pick<Asked, "terms">, statements: readonly Statement[]): Weights {
  const frequency = new Map<string, number>();
  for (const { said, about, title } of statements)
    for (const term of new Set([...termsIn(said), ...termsIn(`${title} ${about}`)]))
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
  // An unknown word may be a synonym of a known one, so it weighs as one of middling rarity.
  const idf = (term: string): number =>
    Math.log(1 + statements.length / (1 + (frequency.get(term) ?? statements.length / 12)));
  const of = new Map(terms.map((term) => [term, idf(term)]));
  const whole = Math.max(
    1e-9,
    [...of.values()].reduce((sum, weight) => sum + weight, 0),
  );
  return { of, whole, idf, unknown: new Set(terms.filter((term) => !frequency.has(term))) };
}

/** A text with the headings above it and the text beside it. */
export type Scope = Record<"own" | "above", string> & { beside?: string };

/** How a text matches a question, as shares of the question's weight: by its own words, by those above or beside it; and how near both are in meaning. */
export type Meeting = Record<"own" | "above" | "beside" | "meaning", number>;

export function measureMeeting(asked: Asked, weights: Weights, scope: Scope): Meeting {
  const [own, above, beside] = [termsIn(scope.own), termsIn(scope.above), termsIn(scope.beside ?? "")];
  const met = { own: 0, above: 0, beside: 0 };
  for (const [term, weight] of weights.of) {
    if (own.has(term)) met.own += weight;
    else if (above.has(term)) met.above += weight;
    else if (beside.has(term)) met.beside += weight;
  }
  const share = (weight: number): number => weight / weights.whole;
  const idf = (word: string): number => weights.idf(listTerms(word)[0] ?? word);
  const wanted = sentenceVector(wordsIn(asked.question), idf);
  const given = sentenceVector(wordsIn(`${scope.own}\n${scope.above}`), idf);
  return {
    own: share(met.own),
    above: share(met.above),
    beside: share(met.beside),
    meaning: wanted && given ? Math.max(0, cosine(wanted, given)) : 0.8 * share(met.own + met.above),
  };
}

const wordsIn = remember(5_000, (text: string): string[] => [
  ...new Set(splitWords(text).filter((word) => listTerms(word).length > 0)),
]);
