import {
  applyChanges,
  type Asked,
  type Coverage,
  contradict,
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
  searchStatements,
  shareOf,
  shareWords,
  type Span,
  type Statement,
  termsIn,
  words,
} from "../../../knowledge/documents/index.ts";
import { isSameValue, type Value } from "../../../text/values.ts";
import type { Material, Passage } from "../schemas/debate.ts";
import { type Fit, scoreSigns, shippedFit } from "./certainty.ts";

/** How a part of a statement fits a question, each sign 0 to 1 (question spec §7.1). */
export type Signs = Record<
  "coverage" | "own" | "missing" | "focus" | "typed" | "untyped" | "names" | "first" | "words" | "near" | "given",
  number
>;

export type Candidate = {
  statement: Statement;
  answer: string;
  short: string | null;
  value: Value | null;
  signs: Signs;
  score: number;
  how: "stated" | "two_steps" | "comparison";
  steps: Statement[];
  rule: string;
};

export type Reading = {
  asked: Asked;
  statements: Statement[];
  coverage: Coverage;
  rankOf(statement: Statement): number;
  fit: Fit;
};

/** What a key such as "jetty C" weighs beside the words of a question. */
const keyWeight = 2;

const readings = new WeakMap<Material, Map<string, Reading>>();

export function readMaterial(question: string, material: Material, found: readonly Passage[] = []): Reading {
  const known = readings.get(material) ?? new Map<string, Reading>();
  readings.set(material, known);
  const key = `${question}\n${found.length}`;
  const made = known.get(key) ?? makeReading(question, [...material.passages, ...found], shippedFit);
  known.set(key, made);
  return made;
}

export function makeReading(question: string, passages: readonly Passage[], fit: Fit): Reading {
  const asked = readQuestion(question);
  const sources = passages.map(({ source, ...passage }) => ({ id: source, ...passage }));
  const statements = applyChanges(readStatements(sources), asked.upTo);
  const ranks = new Map(searchStatements(question, statements, 10).map((place, rank) => [statements[place], rank]));
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
  const { asked, statements, fit } = reading;
  return statements
    .filter((statement) => mayAnswer(statement, asked))
    .flatMap((statement) =>
      listSpans(statement, asked).flatMap((span, _, spans): Candidate[] => {
        const scope = makeScope(span.said, `${statement.title} ${statement.about}`);
        const signs = readSigns(reading, statement, span, scope, spans);
        if (signs.words === 0) return [];
        const short = span.text === "" ? null : span.text;
        const answer = short === null || short === statement.said ? statement.said : `${short} (${statement.said})`;
        const score = scoreSigns(fit.rank, signs) * statement.trust;
        return [{ statement, answer, short, value: span.value, signs, score, how: "stated", steps: [], rule: "" }];
      }),
    )
    .toSorted((a, b) => b.score - a.score);
}

export function readSigns(
  { asked, coverage, rankOf }: Reading,
  statement: Statement,
  span: Span,
  scope: Scope,
  among: readonly Span[] = [span],
): Signs {
  const { terms, keys, focus, question, kind } = asked;
  const sum = (of: (term: string) => number): number =>
    terms.reduce((total, term) => total + coverage.weigh(term) * of(term), 0);
  const whole = Math.max(1e-9, sum(() => 1) + keys.length * keyWeight);
  const hits = keys.filter((key) => hasKey(statement, key)).length;
  const names = [...question.matchAll(/(?<=[\p{Ll}\p{N},]\s)\p{Lu}[\p{L}]+/gu)].flatMap(([name]) => listTerms(name));
  const missed = terms.filter((term) => shareOf(scope, term) === 0 && coverage.isKnown(term));
  const placed = among.flatMap((one) => (one.at === null ? [] : [{ at: one.at, length: one.text.length }]));
  const place = placed.findIndex(({ at }) => at === span.at);
  const weights = new Map(terms.map((term) => [term, coverage.weigh(term)]));
  const called = span.name === "" ? scope.own : termsIn(span.name);
  return {
    coverage: Math.min(1, (sum((term) => shareOf(scope, term)) + hits * keyWeight) / whole),
    own: sum((term) => (scope.own.has(term) ? 1 : 0)) / whole,
    missing: Math.max(0, ...missed.map(coverage.weigh)) / Math.max(1e-9, ...terms.map(coverage.weigh)),
    focus: focus.length === 0 ? 0.5 : focus.filter((term) => called.has(term)).length / focus.length,
    typed: span.typed,
    untyped: span.typed === 0 && !isFree(kind) ? 1 : 0,
    near: place < 0 ? 0.5 : (shareWords(statement.said, placed, weights)[place] ?? 0.5),
    given: statement.kind === "row" ? Math.min(1, span.given) : 0.5,
    names: names.filter((term) => shareOf(scope, term) === 0).length / Math.max(1, names.length),
    first: 1 / (1 + rankOf(statement)),
    words: Math.min(1, terms.filter((term) => shareOf(scope, term) > 0).length / 4),
  };
}

function isFree(kind: Asked["kind"]): boolean {
  return kind === null || kind === "yesno" || kind === "place" || kind === "cause";
}

export function mayAnswer(statement: Statement, { upTo, year, question }: Asked): boolean {
  const { kind, said, about, trust, date } = statement;
  if (kind === "heading" || kind === "question" || trust === 0 || /:\s*$/.test(said)) return false;
  if ((question.match(words.workedOut) ?? []).some((word) => !said.toLowerCase().includes(word.toLowerCase())))
    return false;
  return upTo === null || date === null || date <= upTo || (year !== null && `${said} ${about}`.includes(year));
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
    (one) =>
      one !== best && one.signs.coverage >= best.signs.coverage * needed.share && isRival(best, one, needed.words),
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

function isRival(a: Candidate, b: Candidate, needed: number): boolean {
  if (a.statement === b.statement || isSameShort(a, b)) return false;
  const isSaid = isSuperseding(b.statement) || isSuperseding(a.statement);
  if (a.statement.source === b.statement.source && a.statement.date === b.statement.date && !isSuperseding(b.statement))
    return false;
  if (contradict(a.statement, b.statement, needed)) return true;
  const [less, more] = [a.signs.coverage, b.signs.coverage].toSorted((x, y) => x - y) as [number, number];
  const isReplaced = (a.short !== null && b.short !== null) || isAboutSame(a.statement, b.statement, 0.5);
  return isSaid && less >= 0.5 * more && isReplaced;
}

export function hasLater({ holds, against }: InForce, ranked: readonly Candidate[]): boolean {
  const { source, date } = holds.statement;
  return ranked.some(
    (one) =>
      one !== against &&
      one.statement.source !== source &&
      (one.statement.date ?? 0) > (date ?? Infinity) &&
      one.signs.coverage >= 0.3 &&
      isSuperseding(one.statement) &&
      !isSameShort(one, holds),
  );
}

export function isSameShort(a: Candidate, b: Candidate): boolean {
  if (a.value && b.value) return isSameValue({ ...a.value, bound: null }, { ...b.value, bound: null });
  const [one, other] = [a.short ?? a.answer, b.short ?? b.answer].map((text) => listTerms(text).join(" "));
  return one === other;
}
