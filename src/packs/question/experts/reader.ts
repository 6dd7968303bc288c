import { readFileSync } from "node:fs";
import {
  applyChanges,
  type Asked,
  contradict,
  isAboutSame,
  isSuperseding,
  listSpans,
  listTerms,
  type Meeting,
  measureMeeting,
  readQuestion,
  readStatements,
  type Scope,
  searchStatements,
  shareWords,
  type Span,
  type Statement,
  weighWords,
  type Weights,
} from "../../../knowledge/documents/index.ts";
import { isSameValue, type Value } from "../../../text/values.ts";
import { keyOf, type Material, type Passage } from "../schemas/debate.ts";

/** Signs that a part of a statement answers a question, each 0 to 1 (question spec §7.1). */
export type Signs = Meeting & Record<"names" | "first" | "typed" | "untyped" | "near", number> & { similar?: number };

export type Candidate = {
  statement: Statement;
  answer: string;
  short: string | null;
  value: Value | null;
  signs: Signs;
  score: number;
  how: "stated" | "two_steps" | "comparison";
  steps: readonly Statement[];
  rule: string;
};

export type Reading = {
  asked: Asked;
  statements: Statement[];
  weights: Weights;
  rankOf(statement: Statement): number;
  nearness: Material["nearness"];
};

type Linear = { bias: number; weights: Record<string, number> };
/** Models fitted on labelled folders: which part answers, and whether the best one is right. */
export type Fit = { rank: Linear; certainty: Linear };

/** The fit for word search alone, and the one for an embedding model beside it. */
export const shippedFits = JSON.parse(
  readFileSync(new URL("../../../../data/question/certainty.json", import.meta.url), "utf8"),
) as Record<"plain" | "embedded", Fit>;

export function fitFor({ nearness }: Pick<Reading, "nearness">): Fit {
  return nearness ? shippedFits.embedded : shippedFits.plain;
}

/** Logistic score, 0 to 1. */
export function scoreSigns({ bias, weights }: Linear, signs: Record<string, number>): number {
  const sum = Object.entries(weights).reduce((total, [sign, weight]) => total + weight * (signs[sign] ?? 0), bias);
  return 1 / (1 + Math.exp(-sum));
}

const readings = new WeakMap<Material, Map<string, Reading>>();

export function readMaterial(question: string, material: Material, found: readonly Passage[] = []): Reading {
  const known = readings.get(material) ?? new Map<string, Reading>();
  readings.set(material, known);
  const key = `${question}\n${found.length}`;
  const made = known.get(key) ?? makeReading(question, [...material.passages, ...found], material.nearness);
  known.set(key, made);
  return made;
}

function makeReading(question: string, passages: readonly Passage[], nearness: Material["nearness"]): Reading {
  const asked = readQuestion(question);
  const sources = passages.map(({ source, ...passage }) => ({ id: source, ...passage }));
  const statements = applyChanges(readStatements(sources), asked.upTo);
  const ranks = new Map(searchStatements(question, statements, 10).map((place, rank) => [statements[place], rank]));
  return {
    asked,
    statements,
    weights: weighWords(asked, statements),
    rankOf: (statement) => ranks.get(statement) ?? 10,
    nearness,
  };
}

const alone = { score: 0, how: "stated", steps: [], rule: "" } as const satisfies Partial<Candidate>;

export function listStated(reading: Reading): Candidate[] {
  const { asked, statements } = reading;
  return statements.flatMap((statement, place) => {
    if (!mayAnswer(statement, asked)) return [];
    const beside = [statements[place - 1], statements[place + 1]]
      .map((one) => (one?.source === statement.source && one.kind !== "heading" ? one.said : ""))
      .join(" ");
    const spans = listSpans(statement, asked);
    return spans.flatMap((span): Candidate[] => {
      const scope = { own: span.said, above: `${statement.title} ${statement.about}`, beside };
      const signs = readSigns(reading, { statement, span, scope, among: spans });
      if (signs.own + signs.above + signs.beside === 0 && signs.meaning < 0.2 && (signs.similar ?? 0) < 1) return [];
      const short = span.text === "" ? null : span.text;
      const answer = short === null || short === statement.said ? statement.said : `${short} (${statement.said})`;
      const found: Candidate = { statement, answer, short, value: span.value, signs, ...alone };
      // A reason without a word such as "because" stands in the sentence after the fact.
      const next = asked.kind === "cause" && span.typed === 0 ? statements[place + 1] : undefined;
      const goesOn = next?.source === statement.source && next.kind === "sentence" && statement.kind !== "row";
      return [goesOn ? { ...found, answer: `${answer} ${next.said}`, steps: [next] } : found];
    });
  });
}

export function rank(candidates: readonly Candidate[], fit: Fit): Candidate[] {
  return candidates
    .map((one) => ({ ...one, score: scoreSigns(fit.rank, one.signs) * one.statement.trust }))
    .toSorted((a, b) => b.score - a.score);
}

type Part = { statement: Statement; span: Span; scope: Scope; among?: readonly Span[] };

export function readSigns(
  { asked, weights, rankOf, nearness }: Reading,
  { statement, span, scope, among = [span] }: Part,
): Signs {
  const { question, kind } = asked;
  const meeting = measureMeeting(asked, weights, scope);
  const own = new Set([...listTerms(scope.own), ...listTerms(scope.above)]);
  const names = [...question.matchAll(/(?<=[\p{Ll}\p{N},]\s)\p{Lu}[\p{L}]+/gu)].flatMap(([name]) => listTerms(name));
  const placed = among.flatMap((one) => (one.at === null ? [] : [{ at: one.at, length: one.text.length }]));
  const place = placed.findIndex(({ at }) => at === span.at);
  return {
    ...meeting,
    names: names.filter((name) => !own.has(name)).length / Math.max(1, names.length),
    first: 1 / (1 + rankOf(statement)),
    typed: span.typed,
    untyped: Number(span.typed === 0 && kind !== null && kind !== "yesno"),
    ...(nearness && { similar: nearness[keyOf(statement.text)] ?? 0 }),
    near: place < 0 ? 0.5 : (shareWords(statement.said, placed, weights.of)[place] ?? 0.5),
  };
}

export function mayAnswer(statement: Statement, { upTo, year }: Asked): boolean {
  const { kind, said, about, trust, date } = statement;
  if (kind === "heading" || kind === "question" || trust === 0 || /:\s*$/.test(said)) return false;
  return upTo === null || date === null || date <= upTo || (year !== null && `${said} ${about}`.includes(year));
}

/** The share of the question's weight that a statement and its headings cover. */
export function coverageOf({ signs: { own, above } }: Pick<Candidate, "signs">): number {
  return own + 0.65 * above;
}

/** The candidate in force, its contradiction, and what settled it; null if nothing did. */
export type InForce = { holds: Candidate; against: Candidate | null; settled: "date" | "wording" | null };

/**
 * Picks the statement in force: the latest if dates tell, else the one that says it changes the other (question spec
 * §7.3). `needed` is the share of words from which two statements are about the same.
 */
export function findInForce(best: Candidate, others: readonly Candidate[], needed: number): InForce {
  const rivals = others.filter(
    (one) =>
      one !== best &&
      // What only edits another statement does not compete with it.
      one.statement.trust > 0.3 &&
      // The replacement of an answer within its own document is of the same kind.
      (one.statement.source !== best.statement.source || one.signs.typed >= best.signs.typed) &&
      coverageOf(one) >= 0.5 * coverageOf(best) &&
      isRival(best, one, needed),
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
  const against = all.find((one) => one !== holds && isRival(holds, one, needed)) ?? null;
  return { holds, against, settled: against === null ? null : isDated ? "date" : isSaid ? "wording" : null };
}

function isRival(a: Candidate, b: Candidate, needed: number): boolean {
  if (a.statement === b.statement || isSameShort(a, b)) return false;
  const isSaid = isSuperseding(b.statement) || isSuperseding(a.statement);
  if (a.statement.source === b.statement.source && a.statement.date === b.statement.date && !isSuperseding(b.statement))
    return false;
  if (contradict(a.statement, b.statement, needed)) return true;
  const [less, more] = [coverageOf(a), coverageOf(b)].toSorted((x, y) => x - y) as [number, number];
  return isSaid && less >= 0.5 * more && isAboutSame(a.statement, b.statement, 0.5);
}

export function isSameShort(a: Candidate, b: Candidate): boolean {
  if (a.value && b.value) return isSameValue({ ...a.value, bound: null }, { ...b.value, bound: null });
  const [one, other] = [a.short ?? a.answer, b.short ?? b.answer].map((text) => listTerms(text).join(" "));
  return one === other;
}
