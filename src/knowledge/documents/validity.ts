import { escapePattern } from "../../text/format.ts";
import { isSameValue, kindOf, readValues, type Value } from "../../text/values.ts";
import type { Statement } from "./statements.ts";
import { listTerms, words } from "./words.ts";

/** The share of words from which two statements are about the same. */
const sameSubject = 0.6;

/** A change by another document: the new text, or null when it was repealed. */
export type Change = { by: Statement; changes: Statement; now: string | null; edit(text: string): string };

/** The changes that later documents make, in the order of their dates: they quote old words and the new ones, or repeal a section. */
export function findChanges(statements: readonly Statement[]): Change[] {
  const now = new Map(statements.map((statement) => [statement, statement.said]));
  const changes: Change[] = [];
  for (const by of statements.toSorted((a, b) => (a.date ?? 0) - (b.date ?? 0))) {
    const [edits, repeal] = [listEdits(by), words.repeal.exec(by.said)];
    if (by.trust < 1 || (edits.length === 0 && !repeal)) continue;
    const older = statements.filter(({ source, kind, date }) => {
      return source !== by.source && kind !== "heading" && (date === null || by.date === null || date <= by.date);
    });
    for (const { numbers, edit, isSure } of edits) {
      const fitting = older.filter((one) => edit(now.get(one) ?? "", one) !== now.get(one));
      const numbered = fitting.find((one) => numbers.some((number) => isNumbered(one, number)));
      const changed = numbered ?? (isSure && fitting.length === 1 ? fitting[0] : undefined);
      if (!changed) continue;
      const said = edit(now.get(changed) ?? "", changed);
      now.set(changed, said);
      changes.push({ by, changes: changed, now: said, edit: (text) => edit(text, changed) });
    }
    const [gone = "", sentence] = (repeal?.slice(1) ?? []).filter((group) => group !== undefined);
    const within = older.filter((one) => listNumbers(gone).some((number) => isNumbered(one, number)));
    const repealed = sentence === undefined ? within : within.slice(Number(sentence) - 1, Number(sentence));
    changes.push(...repealed.map((one) => ({ by, changes: one, now: null, edit: (text: string) => text })));
  }
  return changes;
}

/** An edit of the sections with these numbers; a sure one may do without. */
type Edit = { numbers: string[]; edit(text: string, statement: Statement): string; isSure: boolean };

const quoted = /(?<![\p{L}\p{N}])["“„«']([^"“”„«»']+)["”“»'](?![\p{Script=Latin}\p{N}])/gu;

/** Old words by new ones (“in article A, ‘180’ is replaced by ‘210’”), or a new sentence for the one that says the same of something (“article A now reads: ‘The fee is 210 euros.’”). */
function listEdits(by: Statement): Edit[] {
  const quotes = by.kind === "question" ? [] : [...by.said.matchAll(quoted)];
  const numbersIn = (text: string): string[] => listNumbers(`${by.about} ${text}`);
  const kindsOf = (text: string): string => readValues(text).values.map(kindOf).join();
  const words = quotes.flatMap(({ 1: from = "", index }, at): Edit[] => {
    const to = quotes[at + 1]?.[1]?.trim() ?? "";
    const [before, after] = [kindsOf(from), kindsOf(to)];
    if (at % 2 === 1 || to === "" || (before === "") !== (after === "")) return [];
    const old = new RegExp(String.raw`(?<![\p{L}\p{N}])${escapePattern(from.trim())}(?![\p{L}\p{N}])`, "iu");
    const edit = (text: string): string => text.replace(old, () => to);
    return [{ numbers: numbersIn(by.said.slice(0, index)), edit, isSure: before !== "" && before === after }];
  });
  const [, before = "", said = ""] = /^(.*):\s*["“„«](\p{Lu}[^"“”„«»]+)["”“»]?\s*$/u.exec(by.said) ?? [];
  const edit = (text: string, one: Statement): string =>
    isAboutSame({ ...by, said }, { ...one, said: text }, sameSubject) ? said : text;
  return said === "" ? words : [...words, { numbers: numbersIn(before), edit, isSure: false }];
}

/** The numbers of the parts of a document: "Art. 2", "Point 5.1", also after the sign for one. */
function listNumbers(text: string): string[] {
  return [...text.matchAll(/(?:§+|\p{L}+\.?)\s*(\d[\w.]*)/gu)].map(([, number = ""]) => number.replace(/\.$/, ""));
}

function isNumbered({ said, headings }: Statement, number: string): boolean {
  const numbered = new RegExp(String.raw`^\W*(?:\p{L}+\.?\s*)?${escapePattern(number)}(?![\d.]*\d)`, "u");
  return [said, ...headings].some((text) => numbered.test(text));
}

export function applyChanges(statements: readonly Statement[], upTo: number | null = null): Statement[] {
  const inForce = statements.filter(({ date }) => upTo === null || date === null || date <= upTo);
  const changes = findChanges(upTo === null ? statements : inForce);
  const editors = new Set(changes.map(({ by }) => by));
  return statements.flatMap((statement): Statement[] => {
    const own = changes.filter((change) => change.changes === statement);
    const last = own.at(-1);
    if (!last) return editors.has(statement) ? [{ ...statement, trust: statement.trust * 0.2 }] : [statement];
    if (last.now === null) return [];
    const write = (text: string): string => own.reduce((left, change) => change.edit(left), text);
    const cells = statement.cells.map(({ name, value }) => ({ name, value: write(value) }));
    const changed = { by: last.by, before: statement.said };
    return [{ ...statement, said: last.now, cells, date: last.by.date ?? statement.date, changed }];
  });
}

export function contradict(a: Statement, b: Statement, needed = sameSubject): boolean {
  if (!isAboutSame(a, b, needed)) return false;
  if (differInValues(readValues(a.said).values, readValues(b.said).values)) return true;
  return words.negation.test(a.said) !== words.negation.test(b.said);
}

export function isAboutSame(a: Statement, b: Statement, needed: number): boolean {
  const [one, other] = [wordsOf(a), wordsOf(b)];
  const shared = one.filter((word) => other.includes(word)).length;
  const least = Math.min(one.length, other.length);
  return shared >= Math.min(2, least) && shared / Math.max(1, least) >= needed;
}

function wordsOf({ said }: Statement): string[] {
  return [...new Set(listTerms(readValues(said).rest))];
}

/** True when both give values of one kind, but none in common. */
function differInValues(a: Value[], b: Value[]): boolean {
  const isSame = (one: Value, other: Value): boolean => isSameValue({ ...one, bound: null }, { ...other, bound: null });
  return a.some((value) => {
    const theirs = b.filter((one) => kindOf(one) === kindOf(value));
    return theirs.length > 0 && !a.some((one) => theirs.some((other) => isSame(one, other)));
  });
}

export function findConflicts(
  statements: readonly Statement[],
): { a: Statement; b: Statement; later: string | null }[] {
  const usable = statements.filter(({ kind, trust }) => kind !== "heading" && kind !== "question" && trust > 0.3);
  return usable.flatMap((a, index) =>
    usable.slice(index + 1).flatMap((b) => {
      if (a.source === b.source || !contradict(a, b)) return [];
      const isDated = a.date !== null && b.date !== null && a.date !== b.date;
      return [{ a, b, later: isDated ? ((a.date ?? 0) > (b.date ?? 0) ? a.source : b.source) : null }];
    }),
  );
}

export function isSuperseding({ said }: Statement): boolean {
  return words.supersedes.test(said);
}
