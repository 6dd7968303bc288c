import {
  applyChanges,
  type Asked,
  type Coverage,
  contradict,
  findAsked,
  findName,
  hasKey,
  isAboutSame,
  isSuperseding,
  measureCoverage,
  readQuestion,
  readStatements,
  type Statement,
  words,
} from "../../../knowledge/documents/index.ts";
import { listTerms } from "../../../text/search.ts";
import { isSameValue, kindOf, orderOf, readValues, type Value } from "../../../text/values.ts";
import type { Material, Passage } from "../schemas/debate.ts";

/** An answer with the statements that it rests on, and how it was come by. */
export type Candidate = {
  statement: Statement;
  answer: string;
  short: string | null;
  value: Value | null;
  coverage: number;
  score: number;
  /** True when it holds the kind of thing that is asked for, and the kind can be told. */
  isExpected: boolean;
  /** The asked words that it covers. */
  terms: string[];
  how: "stated" | "two_steps" | "comparison";
  /** The other statements that it needs, and what was done with them. */
  steps: Statement[];
  rule: string;
};

/** A candidate that is stated, unless more is told of it. */
export function makeCandidate(
  told: Pick<Candidate, "statement" | "answer" | "coverage" | "terms"> & Partial<Candidate>,
): Candidate {
  const score = told.coverage * told.statement.trust;
  return { short: null, value: null, score, isExpected: true, how: "stated", steps: [], rule: "", ...told };
}

/** What a program makes of the passages it was given. */
export type Reading = { asked: Asked; statements: Statement[]; coverage: Coverage; isEmpty: boolean };

const readings = new WeakMap<Material, Map<string, Reading>>();

/** Reads what was shown for a question: statements as they hold at the time it asks about. */
export function readMaterial(question: string, material: Material, found: readonly Passage[] = []): Reading {
  const known = readings.get(material) ?? new Map<string, Reading>();
  readings.set(material, known);
  const key = `${question}\n${found.length}`;
  const made = known.get(key) ?? makeReading(question, [...material.passages, ...found]);
  known.set(key, made);
  return made;
}

function makeReading(question: string, passages: readonly Passage[]): Reading {
  const asked = readQuestion(question);
  const sources = passages.map(({ source, ...passage }) => ({ id: source, ...passage }));
  const statements = applyChanges(readStatements(sources), asked.upTo);
  return { asked, statements, coverage: measureCoverage(statements), isEmpty: statements.length === 0 };
}

/** Kinds of which a statement must hold one to be an answer at all. */
const looseKinds = new Set([null, "yesno"]);
const expectedBonus = 0.15;

/** Ranks the statements that answer a question by themselves, best first (question spec §7.1). */
export function rankStated({ asked, statements, coverage }: Reading): Candidate[] {
  const isKeyed = asked.keys.filter((key) => statements.some((one) => hasKey(one, key)));
  return statements
    .flatMap((statement): Candidate[] => {
      if (!mayAnswer(statement, asked)) return [];
      const covered = coverage.of(statement, asked);
      const found = covered < 0.2 ? null : findAsked(statement, asked);
      if (!found || isThin(statement, asked, coverage)) return [];
      const misses = isKeyed.filter((key) => !hasKey(statement, key)).length;
      const isExpected = !looseKinds.has(asked.kind) && !found.isLoose;
      const score = (covered + (isExpected ? expectedBonus : 0)) * statement.trust * 0.5 ** misses;
      const short = found.text === "" ? null : found.text;
      const answer = short === null || statement.said.includes(short) ? statement.said : `${short}: ${statement.said}`;
      const terms = coverage.covered(statement, asked);
      return [
        makeCandidate({ statement, answer, short, value: found.value, coverage: covered, terms, score, isExpected }),
      ];
    })
    .toSorted((a, b) => b.score - a.score);
}

/** Headings and questions are no answers; nor is what was said after the time asked about, or figures for a result that must be worked out. */
function mayAnswer(statement: Statement, { upTo, year, question }: Asked): boolean {
  const { kind, said, about, trust, date } = statement;
  if (kind === "heading" || kind === "question" || trust === 0) return false;
  if (isAboutOthers(statement, question)) return false;
  if (/:\s*$/.test(said)) return false;
  if (upTo !== null && date !== null && date > upTo && !(year !== null && `${said} ${about}`.includes(year)))
    return false;
  return !givesOtherAmounts(question, said);
}

function hasWord(text: string, word: string): boolean {
  return text.toLowerCase().includes(word.toLowerCase());
}

/** True when a question asks for a result that a statement only gives figures for: the program reads, it does not calculate. */
export function isComputed({ question }: Asked, { said }: Statement): boolean {
  const asked = question.match(words.steps) ?? [];
  return (
    asked.some((word) => !hasWord(said, word)) ||
    (said.match(words.rates) ?? []).some((word) => !hasWord(question, word))
  );
}

/** A question about an amount is not answered by a statement about others of its kind: whether they reach it must be worked out. */
function givesOtherAmounts(question: string, said: string): boolean {
  const told = listAmounts(said);
  return listAmounts(question).some((one) => {
    const alike = told.filter((other) => kindOf(other) === kindOf(one));
    return alike.length > 0 && !alike.some((other) => isSameValue({ ...one, bound: null }, { ...other, bound: null }));
  });
}

/** True for a row about another day or number of things than the question names: "the week of 30 March", "a flat of four rooms". */
function isAboutOthers({ kind, cells }: Statement, question: string): boolean {
  if (kind !== "row") return false;
  const told = cells.flatMap(({ value }) => listGiven(value));
  return listGiven(question).some(({ value, of }) => {
    const alike = told.filter((one) => one.of === of);
    return alike.length > 0 && !alike.some((one) => isSameValue(one.value, value));
  });
}

/** Days, and numbers with the thing that they count. */
function listGiven(text: string): { value: Value; of: string }[] {
  return readValues(text).values.flatMap((value): { value: Value; of: string }[] => {
    if (value.kind === "date" || value.kind === "weekday") return [{ value, of: value.kind }];
    if (value.kind !== "number" || value.measure !== null) return [];
    const [noun] = listTerms(/^[\s-]*(\p{L}+)/u.exec(text.slice(value.at + value.length))?.[1] ?? "");
    return noun === undefined ? [] : [{ value, of: noun }];
  });
}

/** Amounts of money, lengths and the like; counts and stretches of time are told in too many ways. */
function listAmounts(text: string): Value[] {
  const isElastic = (measure: string | null): boolean => measure === null || measure === "time" || measure === "months";
  return readValues(text).values.filter((value) => value.kind === "number" && !isElastic(value.measure));
}

/** A statement that holds one of several asked words says too little about the question. */
function isThin(statement: Statement, asked: Asked, coverage: Coverage): boolean {
  const least = isSuperseding(statement) ? 1 : 2;
  return coverage.covered(statement, asked).length < Math.min(least, asked.terms.length);
}

/** Answers that need two statements: one tells who or what is meant, the other says what is asked of that (question spec §7.2). */
export function findTwoSteps(reading: Reading, best: Candidate | undefined): Candidate | null {
  const { asked, statements, coverage } = reading;
  const told = statements.filter((one) => one.kind !== "heading" && one.kind !== "question" && one.trust > 0.4);
  const bridges = told.flatMap((first) => {
    const terms = coverage.covered(first, asked);
    if (terms.length < 1) return [];
    return listEntities(first, asked).map((entity) => ({ first, entity, terms }));
  });
  const pairs = bridges.flatMap(({ first, entity, terms }) =>
    told.flatMap((second): Candidate[] => {
      if (second === first || !second.said.includes(entity) || !mayAnswer(second, asked)) return [];
      if (!asked.keys.every((key) => hasKey(first, key) || hasKey(second, key))) return [];
      const more = coverage.covered(second, asked);
      const all = new Set([...terms, ...more]);
      if (all.size <= Math.max(terms.length, more.length) || more.length === 0) return [];
      const rest = {
        ...asked,
        terms: asked.terms.filter((term) => more.includes(term) || !terms.includes(term)),
        question: `${asked.question} ${entity}`,
      };
      const found = findAsked(second, rest);
      if (!found || found.text === entity || (looseKinds.has(asked.kind) && found.text === "")) return [];
      const total = asked.terms.reduce((sum, term) => sum + coverage.weigh(term), 0);
      const share = [...all].reduce((sum, term) => sum + coverage.weigh(term), 0) / Math.max(1e-9, total);
      const short = found.text === "" ? null : found.text;
      const told = { statement: second, answer: short ?? second.said, short, value: found.value, terms: [...all] };
      const rule = `“${first.text}” names ${entity}; of ${entity} it is said: “${second.text}”.`;
      return [makeCandidate({ ...told, coverage: share, how: "two_steps", steps: [first], rule })];
    }),
  );
  const [pair] = pairs.toSorted((a, b) => b.score - a.score);
  if (!pair) return null;
  const single = best ? coverage.covered(best.statement, asked) : [];
  const isHeadless = asked.head.length > 0 && !asked.head.some((term) => single.includes(term));
  return pair.coverage > (best?.coverage ?? 0) + (isHeadless ? 0.05 : 0.2) ? pair : null;
}

/** The names in a statement that a question does not have: cells, and words with a capital. */
function listEntities(statement: Statement, asked: Asked): string[] {
  const cells = statement.cells
    .map(({ value }) => value)
    .filter((value) => value.length > 2 && value.length < 40 && /^\p{Lu}/u.test(value));
  const name = findName(statement.said, asked);
  const all = [...new Set([...cells, ...(name === null ? [] : [name])])];
  return all.filter(
    (entity) =>
      listTerms(entity).length > 0 &&
      !asked.question.toLowerCase().includes(entity.toLowerCase()) &&
      readValues(entity).values.length === 0,
  );
}

/** Answers that compare: each alternative's value with its quote, and the rule that picks one; a missing one is named (question spec §7.2). */
export function compareStated(reading: Reading): Candidate | { missing: string } | null {
  const { asked, statements, coverage } = reading;
  const how = words.compare.find(({ pattern }) => pattern.test(asked.question));
  const named = words.alternatives.exec(asked.question);
  if (!how || (asked.kind === "yesno" && !named)) return null;
  const names = (named?.slice(1) ?? []).filter((one) => one !== undefined).map(tidyName);
  const rest = {
    ...asked,
    kind: how.measure === "money" ? "money" : null,
    terms: asked.terms.filter((term) => !names.some((name) => listTerms(name).includes(term))),
  };
  const rows = names.length === 2 ? names.map((name) => ({ name, ...findFor(name) })) : listRows();
  if (names.length !== 2 && rows.length < 2) return null;
  const missing = rows.find(({ value }) => value === null);
  if (missing) return { missing: missing.name };
  const sided = rows.map((row) => ({ ...row, order: orderOf(row.value as Value) ?? 0 }));
  const kinds = new Set(sided.map(({ value }) => (value ? kindOf(value) : null)));
  const [won, next] = sided.toSorted((a, b) => (how.direction === "min" ? a.order - b.order : b.order - a.order));
  if (kinds.size !== 1) return { missing: sided.map(({ name, text }) => `${name} (${text})`).join(", ") };
  if (!won?.statement || won.order === next?.order) return null;
  const rule = `${sided.map(({ name, text }) => `${name}: ${text}`).join("; ")}; the ${how.direction === "min" ? "least" : "greatest"} of them is asked for.`;
  const covered = Math.max(coverage.of(won.statement, asked), names.length === 2 ? 0.75 : 0.6);
  const others = sided.flatMap(({ statement }) => (statement && statement !== won.statement ? [statement] : []));
  const terms = [won.statement, ...others].flatMap((statement) => coverage.covered(statement, asked));
  const told = { statement: won.statement, answer: won.name, short: won.name, value: won.value, terms };
  return makeCandidate({ ...told, coverage: covered, how: "comparison", steps: others.slice(0, 6), rule });

  /** The value that is told of a thing, and by which statement. */
  function findFor(name: string): { value: Value | null; text: string; statement: Statement | null } {
    const own = listTerms(name);
    const key = /^[A-Z0-9]{1,3}$/.test(name) ? name : null;
    const speaking = statements
      .filter(
        (one) =>
          one.kind !== "heading" &&
          one.trust > 0 &&
          (key === null ? own.every((term) => listTerms(one.said).includes(term)) : hasKey(one, key)),
      )
      .map((one) => ({
        one,
        score:
          coverage.of(one, rest) +
          (one.cells.some(({ value }) => value.toLowerCase() === name.toLowerCase()) ? 0.5 : 0),
      }))
      .toSorted((a, b) => b.score - a.score);
    for (const { one } of speaking.slice(0, 5)) {
      const found = readCompared(one, name);
      if (found) return { ...found, statement: one };
    }
    return { value: null, text: "", statement: null };
  }

  /** What of a statement is compared: the cell under the asked column, else the value that the question's words stand nearest to. */
  function readCompared(one: Statement, name: string): { value: Value; text: string } | null {
    const wanted = { ...rest, question: `${asked.question} ${name}`, kind: rest.kind ?? "number" };
    const cells = one.cells.filter(({ value }) => value.toLowerCase() !== name.toLowerCase());
    const column = cells
      .map((cell) => ({
        cell,
        fit: listTerms(cell.name).filter((term) => listTerms(asked.question).includes(term)).length,
      }))
      .toSorted((a, b) => b.fit - a.fit)[0];
    if (column && column.fit > 0) {
      const [value] = readValues(column.cell.value).values;
      return value ? { value, text: column.cell.value } : null;
    }
    const found = findAsked(one, wanted);
    return found?.value ? { value: found.value, text: found.text } : null;
  }

  /** Which of all rows of a table: those under the column that the question is about. */
  function listRows(): { name: string; value: Value | null; text: string; statement: Statement | null }[] {
    const tables = Map.groupBy(
      statements.filter(({ kind, cells }) => kind === "row" && cells.length > 1),
      ({ source, headings }) => `${source} ${headings.join()}`,
    );
    const [best] = [...tables.values()]
      .map((table) => ({ table, score: Math.max(...table.map((one) => coverage.of(one, rest))) }))
      .toSorted((a, b) => b.score - a.score);
    if (!best || best.score < 0.3) return [];
    return best.table.flatMap((one) => {
      const name = one.cells[0]?.value ?? "";
      const found = readCompared(one, name);
      return found ? [{ name, ...found, statement: one }] : [];
    });
  }
}

function tidyName(name: string): string {
  return name.replace(/^(?:(?:which (?:of|is)|what|is|are|the|an?)\s+)+/i, "").trim();
}

/** The candidate that holds, what contradicts it, and what told them apart; null when nothing did. */
export type InForce = { holds: Candidate; against: Candidate | null; settled: "date" | "wording" | null };

/**
 * Finds which of contradicting statements holds: the latest, where dates tell, else the one that says that it changes the
 * other (question spec §7.3). `needed` says how alike statements must be to be about the same.
 */
export function findInForce(
  best: Candidate,
  others: readonly Candidate[],
  needed: { words: number; score: number },
): InForce {
  const rivals = others.filter(
    (one) => one !== best && one.score >= best.score * needed.score && isRival(best, one, needed.words),
  );
  if (rivals.length === 0 || best.how !== "stated") return { holds: best, against: null, settled: null };
  const all = [best, ...rivals];
  const dates = all.map(({ statement }) => statement.date ?? 0);
  const newest = all.filter((_, at) => dates[at] === Math.max(1, ...dates));
  const saying = all.filter(({ statement }) => isSuperseding(statement));
  const isDated = newest.length > 0 && newest.length < all.length && !dates.includes(0);
  const isSaid = saying.length === 1;
  const chosen = isDated ? newest : isSaid ? saying : newest.length > 0 ? newest : all;
  const holds = chosen.toSorted((a, b) => b.score - a.score)[0] ?? best;
  const against = all.find((one) => one !== holds && isRival(holds, one, needed.words)) ?? null;
  return { holds, against, settled: against === null ? null : isDated ? "date" : isSaid ? "wording" : null };
}

/** Another answer to the question in another place: another value of the asked kind, or a statement that contradicts. */
function isRival(a: Candidate, b: Candidate, needed: number): boolean {
  if (a.statement.source === b.statement.source && a.statement.date === b.statement.date && !isSuperseding(b.statement))
    return false;
  if (isSameShort(a, b)) return false;
  return contradict(a.statement, b.statement, needed) || isReplaced(a, b);
}

/** One says that it changes something, and both are about what is asked. */
function isReplaced(a: Candidate, b: Candidate): boolean {
  const isAsked = Math.min(a.coverage, b.coverage) >= 0.5 * Math.max(a.coverage, b.coverage);
  const isSaid = isSuperseding(b.statement) || isSuperseding(a.statement);
  return (
    isSaid &&
    isAsked &&
    speaksOfRow(a, b) &&
    speaksOfRow(b, a) &&
    ((a.short !== null && b.short !== null) || isAboutSame(a.statement, b.statement, 0.5))
  );
}

/** A statement that replaces a row must name the same things as the row's cells, as far as the question asks about them. */
function speaksOfRow({ statement, terms }: Candidate, other: Candidate): boolean {
  if (statement.kind !== "row") return true;
  const named = statement.cells.flatMap(({ value }) => listTerms(value)).filter((term) => terms.includes(term));
  return named.every((term) => other.terms.includes(term));
}

/** True when a later document says of itself that it changes what is asked about, and gives another answer. */
export function hasLater({ holds, against }: InForce, ranked: readonly Candidate[]): boolean {
  const { source, date } = holds.statement;
  return ranked.some(
    (one) =>
      one !== against &&
      one.statement.source !== source &&
      (one.statement.date ?? 0) > (date ?? Infinity) &&
      one.coverage >= 0.3 &&
      isSuperseding(one.statement) &&
      !isSameShort(one, holds),
  );
}

/** True when two candidates give the same thing as the answer. */
export function isSameShort(a: Candidate, b: Candidate): boolean {
  if (a.value && b.value) return isSameValue({ ...a.value, bound: null }, { ...b.value, bound: null });
  const [one, other] = [a.short ?? a.answer, b.short ?? b.answer].map((text) => listTerms(text).join(" "));
  return one === other;
}
