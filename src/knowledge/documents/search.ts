import { computeGain, computeRarity, listTerms } from "../../text/search.ts";
import { type Asked, readQuestion } from "./asked.ts";
import type { Statement } from "./statements.ts";
import { familyOf } from "./words.ts";

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

/** How well statements cover a question. */
export type Coverage = {
  /** The share of the question's words, rare ones counting more, that a statement has itself or stands under (0..1). */
  of(statement: Statement, asked: Asked): number;
  /** The asked words that a statement covers. */
  covered(statement: Statement, asked: Asked): string[];
  weigh(term: string): number;
  /** The words of a question, as they stand in it, that no statement has in any form. */
  listUnknown(question: string): string[];
  /** Those of them that name a thing: they stand behind an article, a preposition or another name. */
  listAbsent(question: string): string[];
};

/** What stands before the name of a thing. */
const behind = "(?:the|an?|of|for|in|on|with|from|to|at|our|my|your|their|which|what|many|much)";

/** Builds the coverage of a set of statements. */
export function measureCoverage(statements: readonly Statement[]): Coverage {
  const frequency = new Map<string, number>();
  for (const { said, about, title } of statements)
    for (const term of new Set([...listTerms(said), ...listTerms(about), ...listTerms(title)]))
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const families = new Set([...frequency.keys()].map(familyOf));
  const weigh = (term: string): number =>
    Math.log(1 + statements.length / (1 + (frequency.get(term) ?? statements.length / 12)));
  const isKnown = (term: string): boolean => families.has(familyOf(term));
  const shareOf = (statement: Statement, term: string): number => {
    const { own, above, ownKin, aboveKin } = termsOf(statement);
    if (own.has(term)) return 1;
    if (above.has(term)) return 0.65;
    const family = familyOf(term);
    return ownKin.has(family) ? 0.8 : aboveKin.has(family) ? 0.5 : 0;
  };
  const listUnknown = (question: string): string[] => {
    const { terms } = readQuestion(question);
    return [...new Set(question.match(/[\p{L}\p{M}]+/gu))].filter((word) =>
      listTerms(word).some((term) => terms.includes(term) && !isKnown(term)),
    );
  };
  return {
    weigh,
    listUnknown,
    listAbsent: (question) =>
      listUnknown(question).filter((word) =>
        new RegExp(String.raw`(?<![\p{L}])${behind}\s+(?:\p{L}+\s+)?${word}(?![\p{L}])`, "iu").test(question),
      ),
    of(statement, { terms, keys }) {
      const total = terms.reduce((sum, term) => sum + weigh(term), 0) + keys.length * 2;
      const got = terms.reduce((sum, term) => sum + weigh(term) * shareOf(statement, term), 0);
      const hits = keys.filter((key) => hasKey(statement, key)).length;
      return total === 0 ? 0 : (got + hits * 2) / total;
    },
    covered: (statement, { terms }) => terms.filter((term) => shareOf(statement, term) > 0),
  };
}

/** A key such as "C" or "2" as a word of its own. */
export function hasKey({ said, about }: Statement, key: string): boolean {
  return new RegExp(String.raw`(?<![\p{L}\p{N}])${key}(?![\p{L}\p{N}])`, "u").test(`${said} ${about}`);
}

type Terms = Record<"own" | "above" | "ownKin" | "aboveKin", Set<string>>;
const known = new WeakMap<Statement, Terms>();

function termsOf(statement: Statement): Terms {
  const kept = known.get(statement);
  if (kept) return kept;
  const [own, above] = [listTerms(statement.said), listTerms(`${statement.title} ${statement.about}`)];
  const terms = {
    own: new Set(own),
    above: new Set(above),
    ownKin: new Set(own.map(familyOf)),
    aboveKin: new Set(above.map(familyOf)),
  };
  known.set(statement, terms);
  return terms;
}
