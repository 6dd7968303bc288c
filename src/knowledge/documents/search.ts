import { computeGain, computeRarity } from "../../text/search.ts";
import type { Asked } from "./asked.ts";
import type { Statement } from "./statements.ts";
import { familyOf, listRelated, listTerms, rarityOf } from "./words.ts";

/** Terms as they are counted: words that stand for each other are one. */
function nameTerms(text: string): string[] {
  return listTerms(text).map(familyOf);
}

/** What a word in the headings above a statement counts, beside one in the statement. */
const inTopic = 0.5;

/** A search that is given statements bit by bit and keeps only what those that match need; places count from 0. */
export type Ranking = {
  add(statements: readonly Statement[]): void;
  rank(limit: number): { place: number; score: number }[];
};

/** Begins a search: BM25 over the terms of statements; those of the headings and questions above them count by half. */
export function createRanking(query: string): Ranking {
  const wanted = [...new Set(nameTerms(query))];
  const having = wanted.map(() => 0);
  const found: { place: number; counts: number[]; length: number }[] = [];
  let [size, words] = [0, 0];
  return {
    add(statements) {
      for (const { said, about, title } of statements) {
        const [own, above] = [nameTerms(said), new Set(nameTerms(`${title} ${about}`))];
        const counts = wanted.map((term) => own.filter((one) => one === term).length + (above.has(term) ? inTopic : 0));
        words += own.length;
        if (counts.some((count) => count > 0)) found.push({ place: size, counts, length: own.length });
        for (const [at, count] of counts.entries()) if (count >= 1) having[at] = (having[at] ?? 0) + 1;
        size += 1;
      }
    },
    rank(limit) {
      const mean = Math.max(1, words / Math.max(1, size));
      const rarity = having.map((holders) => computeRarity(size, holders));
      const weighing = { saturation: 1.2, lengthPenalty: 0.75, floor: 0 };
      const score = ({ counts, length }: (typeof found)[number]): number =>
        counts.reduce((sum, count, at) => sum + (rarity[at] ?? 0) * computeGain(count, length / mean, weighing), 0);
      return found
        .map((one) => ({ place: one.place, score: score(one) }))
        .toSorted((a, b) => b.score - a.score || a.place - b.place)
        .slice(0, limit);
    },
  };
}

/** The words by which something speaks of a question: its own, and those that it stands under. */
export type Scope = Record<"own" | "above" | "ownKin" | "aboveKin", ReadonlySet<string>>;

/** The words of a text and of what it stands under. */
export function makeScope(said: string, context: string): Scope {
  const [own, above] = [listTerms(said), listTerms(context)];
  return {
    own: new Set(own),
    above: new Set(above),
    ownKin: new Set(own.map(familyOf)),
    aboveKin: new Set(above.map(familyOf)),
  };
}

/** How far something covers a term: in its own words, by a word of the family, by one that is related in meaning, or by what it stands under. */
export function shareOf({ own, above, ownKin, aboveKin }: Scope, term: string): number {
  if (own.has(term)) return 1;
  const family = familyOf(term);
  if (ownKin.has(family)) return 0.8;
  if (above.has(term)) return 0.65;
  if (aboveKin.has(family)) return 0.5;
  const related = listRelated(term);
  const isIn = (words: ReadonlySet<string>): boolean => [...related].some((one) => words.has(one));
  return isIn(own) ? 0.5 : isIn(above) ? 0.3 : 0;
}

/** How well statements cover a question. */
export type Coverage = {
  /** What a term weighs: rare ones more. */
  weigh(term: string): number;
  /** True when some statement has a term in some form. */
  isKnown(term: string): boolean;
  /** The words of a question, as they stand in it, that no statement has in any form. */
  listUnknown(asked: Asked): string[];
};

/** Builds the coverage of a set of statements. */
export function measureCoverage(statements: readonly Statement[]): Coverage {
  const frequency = new Map<string, number>();
  for (const { said, about, title } of statements)
    for (const term of new Set([...listTerms(said), ...listTerms(about), ...listTerms(title)]))
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const families = new Set([...frequency.keys()].map(familyOf));
  const isKnown = (term: string): boolean => families.has(familyOf(term));
  return {
    weigh: (term) =>
      rarityOf(term) * Math.log(1 + statements.length / (1 + (frequency.get(term) ?? statements.length / 12))),
    isKnown,
    listUnknown: ({ question, terms }) =>
      [...new Set(question.match(/[\p{L}\p{M}]+/gu))].filter((word) =>
        listTerms(word).some((term) => terms.includes(term) && !isKnown(term)),
      ),
  };
}

/** A key such as "C" or "2" as a word of its own. */
export function hasKey({ said, about, title }: Statement, key: string): boolean {
  const plain = key.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${plain}(?![\p{L}\p{N}_]|\.\d)`, "u").test(
    `${said} ${about} ${title}`,
  );
}
