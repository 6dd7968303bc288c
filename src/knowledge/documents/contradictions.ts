import type { Sentence } from "./sentences.ts";
import { listTerms } from "./terms.ts";
import { readValues } from "./values/read-values.ts";
import { isSameValue, type Value } from "./values/value.ts";

/** Two statements of different documents that cannot both hold, and which of them came later, when their documents say. */
export type Contradiction = { a: Sentence; b: Sentence; later: "a" | "b" | null; about: "values" | "denial" };

/** How many of the rarer statement's words the other must share to be about the same. */
const sameSubject = 0.6;
const opposites: [RegExp, RegExp][] = [
  [/\bopen(?:s|ed)?\b/i, /\bclosed?s?\b/i],
  [/\b(?:allowed|permitted|may)\b/i, /\b(?:forbidden|prohibited|must not|may not)\b/i],
  [/\bbuka\b/i, /\btutup\b/i],
  [/\bboleh\b/i, /\b(?:dilarang|tidak boleh)\b/i],
  [/가능/, /불가능|할 수 없|금지/],
];
const denies = /\b(?:not|never|no longer|cannot|tidak|bukan|belum)\b|n't\b|없|않|못하/i;

/** Finds statements of different documents that speak about the same and say something else: another value of one kind, or the opposite. */
export function findContradictions(sentences: readonly Sentence[]): Contradiction[] {
  const statements = sentences.filter(({ kind, trust }) => kind === "statement" && trust > 0);
  return statements.flatMap((a, index) =>
    statements.slice(index + 1).flatMap((b): Contradiction[] => {
      const about = a.source === b.source ? null : contradict(a, b);
      return about === null ? [] : [{ a, b, about, later: findLater(a, b) }];
    }),
  );
}

/** In what two statements contradict each other; null when they do not, or are not about the same. */
export function contradict(a: Sentence, b: Sentence): Contradiction["about"] | null {
  const [one, other] = [wordsOf(a.said), wordsOf(b.said)];
  const shared = one.filter((word) => other.includes(word)).length;
  if (shared < 2 || shared / Math.min(one.length, other.length) < sameSubject) return null;
  if (differInValues(readValues(a.said).values, readValues(b.said).values)) return "values";
  const isOpposite = opposites.some(
    ([yes, no]) => (yes.test(a.text) && no.test(b.text)) || (no.test(a.text) && yes.test(b.text)),
  );
  return isOpposite || denies.test(a.text) !== denies.test(b.text) ? "denial" : null;
}

/** The words of a statement but for its values. */
function wordsOf(text: string): string[] {
  return [...new Set(listTerms(readValues(text).rest))];
}

/** Each has a value of a kind that the other has too, and none of that kind is the same. */
function differInValues(a: Value[], b: Value[]): boolean {
  const kinds = new Set([...a, ...b].map(kindOf));
  return [...kinds].some((kind) => {
    const [ours, theirs] = [a, b].map((values) => values.filter((value) => kindOf(value) === kind)) as [
      Value[],
      Value[],
    ];
    return ours.length > 0 && theirs.length > 0 && !ours.some((one) => theirs.some((two) => isSameValue(one, two)));
  });
}

function kindOf(value: Value): string {
  return value.kind === "number" ? `number ${value.measure ?? ""}` : value.kind;
}

function findLater(a: Sentence, b: Sentence): Contradiction["later"] {
  if (a.date === null || b.date === null || a.date === b.date) return null;
  return a.date > b.date ? "a" : "b";
}
