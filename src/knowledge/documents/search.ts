import { type Bag, buildBm25 } from "../../text/search.ts";
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

export type Scope = { own: ReadonlySet<string>; above: ReadonlySet<string> };

export function makeScope(said: string, context: string): Scope {
  return { own: termsIn(said), above: termsIn(context) };
}

export function shareOf({ own, above }: Scope, term: string): number {
  return own.has(term) ? 1 : above.has(term) ? 0.65 : 0;
}

export type Coverage = {
  weigh(term: string): number;
  isKnown(term: string): boolean;
  listUnknown(asked: Asked): string[];
};

export function measureCoverage(statements: readonly Statement[]): Coverage {
  const frequency = new Map<string, number>();
  for (const { said, about, title } of statements)
    for (const term of new Set([...termsIn(said), ...termsIn(`${title} ${about}`)]))
      frequency.set(term, (frequency.get(term) ?? 0) + 1);
  const isKnown = (term: string): boolean => frequency.has(term);
  return {
    // A word that no statement has may only be another word for one that they have: it weighs as one of middling rarity.
    weigh: (term) => Math.log(1 + statements.length / (1 + (frequency.get(term) ?? statements.length / 12))),
    isKnown,
    listUnknown: ({ question, terms }) =>
      [...new Set(question.match(/[\p{L}\p{M}]+/gu))].filter((word) =>
        listTerms(word).some((term) => terms.includes(term) && !isKnown(term)),
      ),
  };
}

/** True when a statement has a key such as "C" or "2" as a word of its own. */
export function hasKey({ said, about, title }: Statement, key: string): boolean {
  const plain = key.replaceAll(/[.*+?^${}()|[\]\\]/g, String.raw`\$&`);
  return new RegExp(String.raw`(?<![\p{L}\p{N}_])${plain}(?![\p{L}\p{N}_]|\.\d)`, "u").test(
    `${said} ${about} ${title}`,
  );
}
