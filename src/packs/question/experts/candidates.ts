import {
  applyChanges,
  type Asked,
  type Coverage,
  contradict,
  createRanking,
  hasKey,
  isAboutSame,
  isSuperseding,
  listSpans,
  listTerms,
  makeScope,
  measureCoverage,
  readQuestion,
  readStatements,
  type Scope,
  shareOf,
  shareWords,
  type Span,
  type Statement,
  words,
} from "../../../knowledge/documents/index.ts";
import { isSameValue, readValues, type Value } from "../../../text/values.ts";
import type { Material, Passage } from "../schemas/debate.ts";
import { type Fit, scoreSigns, shippedFit } from "./certainty.ts";

/** How a part of a statement fits a question, each sign 0 to 1 (question spec §7.1). */
export type Signs = Record<
  "coverage" | "own" | "missing" | "focus" | "typed" | "near" | "keys" | "names" | "first" | "given" | "dense",
  number
>;

/** An answer with the statements that it rests on, and how it was come by. */
export type Candidate = {
  statement: Statement;
  answer: string;
  short: string | null;
  value: Value | null;
  /** The share of the question's words, by weight, that it covers, 0 to 1. */
  coverage: number;
  score: number;
  /** True when it holds the kind of thing that is asked for, and the kind can be told. */
  isExpected: boolean;
  /** The asked words that it covers. */
  terms: string[];
  signs: Signs;
  how: "stated" | "two_steps" | "comparison";
  /** The other statements that it needs, and what was done with them. */
  steps: Statement[];
  rule: string;
};

/** What a program makes of the passages it was given. */
export type Reading = {
  asked: Asked;
  statements: Statement[];
  coverage: Coverage;
  /** The place of a statement in a plain word search, from 0. */
  rankOf(statement: Statement): number;
  fit: Fit;
};

const readings = new WeakMap<Material, Map<string, Reading>>();

/** Reads what was shown for a question: statements as they hold at the time it asks about. */
export function readMaterial(question: string, material: Material, found: readonly Passage[] = []): Reading {
  const known = readings.get(material) ?? new Map<string, Reading>();
  readings.set(material, known);
  const key = `${question}\n${found.length}`;
  const made = known.get(key) ?? makeReading(question, [...material.passages, ...found], shippedFit);
  known.set(key, made);
  return made;
}

/** Reads passages for a question, weighing by a fit. */
export function makeReading(question: string, passages: readonly Passage[], fit: Fit): Reading {
  const asked = readQuestion(question);
  const sources = passages.map(({ source, ...passage }) => ({ id: source, ...passage }));
  const statements = applyChanges(readStatements(sources), asked.upTo);
  const ranking = createRanking(question);
  ranking.add(statements);
  const ranks = new Map(ranking.rank(10).map(({ place }, rank) => [statements[place], rank]));
  return {
    asked,
    statements,
    coverage: measureCoverage(statements),
    rankOf: (statement) => ranks.get(statement) ?? 10,
    fit,
  };
}

/** Ranks the parts of statements that answer a question by themselves, best first (question spec §7.1). */
export function rankStated(reading: Reading): Candidate[] {
  const { asked, statements } = reading;
  return statements
    .filter((statement) => mayAnswer(statement, asked))
    .flatMap((statement) => {
      const spans = listSpans(statement, asked);
      return spans.flatMap((span) => weighSpan(reading, statement, span, spans) ?? []);
    })
    .toSorted((a, b) => b.score - a.score);
}

/** What covers less of the question than this is not looked at. */
const leastCoverage = 0.12;

/** Weighs a part of a statement as the answer; null when it covers too little of the question. */
function weighSpan(reading: Reading, statement: Statement, span: Span, among: readonly Span[]): Candidate | null {
  const { asked } = reading;
  const scope = makeScope(span.said, `${statement.title} ${statement.about}`);
  const signs = readSigns(reading, statement, span, scope, among);
  const terms = asked.terms.filter((term) => shareOf(scope, term) > 0);
  if (signs.coverage < leastCoverage) return null;
  const { said } = statement;
  const short = span.text === "" ? null : span.text;
  const answer = short === null || short === said ? said : `${short} (${said})`;
  const { value, typed } = span;
  const score = scoreSigns(reading.fit.rank, signs) * statement.trust;
  return makeCandidate({
    statement,
    answer,
    short,
    value,
    signs,
    terms,
    coverage: signs.coverage,
    score,
    isExpected: typed === 1,
  });
}

/** A candidate that is stated, unless more is told of it. */
export function makeCandidate(
  told: Pick<Candidate, "statement" | "answer" | "coverage" | "terms" | "signs"> & Partial<Candidate>,
): Candidate {
  const score = told.coverage * told.statement.trust;
  return { short: null, value: null, score, isExpected: true, how: "stated", steps: [], rule: "", ...told };
}

/** Reads how a part of a statement fits the question. */
export function readSigns(
  { asked, coverage, rankOf }: Reading,
  statement: Statement,
  span: Span,
  scope: Scope,
  among: readonly Span[] = [span],
): Signs {
  const { terms, keys, focus, question } = asked;
  const weights = new Map(terms.map((term) => [term, coverage.weigh(term)]));
  const whole = [...weights.values()].reduce((sum, weight) => sum + weight, 0) + keys.length * 2;
  const sum = (of: (term: string) => number): number =>
    terms.reduce((total, term) => total + (weights.get(term) ?? 0) * of(term), 0);
  const hits = keys.filter((key) => hasKey(statement, key)).length;
  const most = Math.max(1e-9, ...weights.values());
  const missed = terms.filter((term) => shareOf(scope, term) === 0 && coverage.isKnown(term));
  const names = [...question.matchAll(/(?<=[\p{Ll}\p{N},]\s)\p{Lu}[\p{L}]+/gu)].flatMap(([name]) => listTerms(name));
  const lost = names.filter((term) => shareOf(scope, term) === 0).length;
  const called = span.name === "" ? scope.own : new Set(listTerms(span.name));
  const isCalled = (term: string): boolean =>
    shareOf({ ...scope, own: called, ownKin: called, above: new Set(), aboveKin: new Set() }, term) > 0;
  const placed = among.flatMap((one) => (one.at === null ? [] : [{ at: one.at, length: one.text.length }]));
  const place = placed.findIndex(({ at }) => at === span.at);
  return {
    coverage: Math.min(1, (sum((term) => shareOf(scope, term)) + hits * 2) / Math.max(1e-9, whole)),
    own: sum((term) => (scope.own.has(term) ? 1 : 0)) / Math.max(1e-9, whole),
    missing: Math.max(0, ...missed.map((term) => weights.get(term) ?? 0)) / most,
    focus: focus.length === 0 ? 0.5 : focus.filter(isCalled).length / focus.length,
    typed: span.typed,
    near: place < 0 ? 0.5 : (shareWords(statement.said, placed, weights)[place] ?? 0.5),
    keys: keys.length === 0 ? 0 : 1 - hits / keys.length,
    names: names.length === 0 ? 0 : lost / names.length,
    first: 1 / (1 + rankOf(statement)),
    given: statement.kind === "row" ? Math.min(1, span.given) : 0.5,
    dense: terms.filter((term) => scope.own.has(term)).length / Math.max(1, scope.own.size),
  };
}

/** Headings and questions are no answers; nor is what was said after the time asked about, or figures for a result that must be worked out. */
export function mayAnswer(statement: Statement, { upTo, year, question }: Asked): boolean {
  const { kind, said, about, trust, date } = statement;
  if (kind === "heading" || kind === "question" || trust === 0 || /:\s*$/.test(said)) return false;
  if (isAboutOthers(statement, question)) return false;
  if ((question.match(words.workedOut) ?? []).some((word) => !said.toLowerCase().includes(word.toLowerCase())))
    return false;
  return upTo === null || date === null || date <= upTo || (year !== null && `${said} ${about}`.includes(year));
}

/** True when a question asks for a result that a statement only gives figures for: the program reads, it does not calculate. */
export function isComputed({ question }: Asked, { said }: Statement): boolean {
  const isIn = (text: string, word: string): boolean => text.toLowerCase().includes(word.toLowerCase());
  return (
    (question.match(words.steps) ?? []).some((word) => !isIn(said, word)) ||
    (said.match(words.rates) ?? []).some((word) => !isIn(question, word))
  );
}

/** True for a row about another day or number of things than the question names: "the week of 30 March", "a flat of four rooms". */
export function isAboutOthers({ kind, cells }: Statement, question: string): boolean {
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

/** The candidate that holds, what contradicts it, and what told them apart; null when nothing did. */
export type InForce = { holds: Candidate; against: Candidate | null; settled: "date" | "wording" | null };

/**
 * Finds which of contradicting statements holds: the latest, where dates tell, else the one that says that it changes the
 * other (question spec §7.3). `needed` says how alike statements must be to be about the same.
 */
export function findInForce(
  best: Candidate,
  others: readonly Candidate[],
  needed: { words: number; share: number },
): InForce {
  const rivals = others.filter(
    (one) => one !== best && one.coverage >= best.coverage * needed.share && isRival(best, one, needed.words),
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
  if (a.statement === b.statement || isSameShort(a, b)) return false;
  if (a.statement.source === b.statement.source && a.statement.date === b.statement.date && !isSuperseding(b.statement))
    return false;
  return contradict(a.statement, b.statement, needed) || isReplaced(a, b);
}

/** One says that it changes something, and both are about what is asked. */
function isReplaced(a: Candidate, b: Candidate): boolean {
  const isAsked = Math.min(a.coverage, b.coverage) >= 0.5 * Math.max(a.coverage, b.coverage);
  const isSaid = isSuperseding(b.statement) || isSuperseding(a.statement);
  return isSaid && isAsked && ((a.short !== null && b.short !== null) || isAboutSame(a.statement, b.statement, 0.5));
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
