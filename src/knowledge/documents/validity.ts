import { escapePattern } from "../../text/format.ts";
import { isSameValue, kindOf, readValues, type Value } from "../../text/values.ts";
import type { Statement } from "./statements.ts";
import { listTerms, words } from "./words.ts";

/** A change by another document: the new text, or null when it was repealed. */
export type Change = { by: Statement; changes: Statement; now: string | null; edit(text: string): string };

export function findChanges(statements: readonly Statement[]): Change[] {
  return statements.flatMap((by): Change[] => {
    const amend = words.amend.exec(by.said);
    const [section, from, to] = (amend?.slice(1) ?? []).filter((group) => group !== undefined);
    if (section !== undefined && from !== undefined && to !== undefined) {
      const old = new RegExp(escapePattern(from.trim()), "i");
      const target = findTarget(statements, by, section).find(({ text }) => old.test(text));
      const edit = (text: string): string => text.replace(old, () => to.trim());
      return target ? [{ by, changes: target, now: edit(target.said), edit }] : [];
    }
    const repeal = words.repeal.exec(by.said);
    const [gone, sentence] = (repeal?.slice(1) ?? []).filter((group) => group !== undefined);
    if (gone === undefined) return [];
    const within = findTarget(statements, by, gone);
    const chosen = sentence === undefined ? within : within.slice(Number(sentence) - 1, Number(sentence));
    return chosen.map((target) => ({ by, changes: target, now: null, edit: (text) => text }));
  });
}

export function applyChanges(statements: readonly Statement[], upTo: number | null = null): Statement[] {
  const changes = findChanges(statements).filter(({ by }) => upTo === null || by.date === null || by.date <= upTo);
  const editors = new Set(changes.map(({ by }) => by));
  return statements.flatMap((statement): Statement[] => {
    const own = changes.filter((change) => change.changes === statement);
    const last = own.at(-1);
    if (!last) return editors.has(statement) ? [{ ...statement, trust: statement.trust * 0.2 }] : [statement];
    if (last.now === null) return [];
    const said = own.reduce((text, change) => change.edit(text), statement.said);
    return [
      { ...statement, said, date: last.by.date ?? statement.date, changed: { by: last.by, before: statement.said } },
    ];
  });
}

function findTarget(statements: readonly Statement[], by: Statement, section: string): Statement[] {
  const number = /[\d]+[\w.]*/.exec(section)?.[0]?.replace(/\.$/, "") ?? "";
  const numbered = new RegExp(String.raw`^\W*(?:\p{L}+\.?\s*)?${escapePattern(number)}(?![\d.]*\d)`, "u");
  const isThere = ({ source, headings, date, kind }: Statement): boolean =>
    source !== by.source &&
    kind !== "heading" &&
    (date === null || by.date === null || date <= by.date) &&
    headings.some((heading) => numbered.test(heading));
  return number === "" ? [] : statements.filter(isThere);
}

const sameSubject = 0.6;

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
