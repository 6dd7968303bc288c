import {
  type Asked,
  isGiven,
  listSpans,
  listTerms,
  type Span,
  type Statement,
  termsIn,
  words,
} from "../../../knowledge/documents/index.ts";
import { escapePattern } from "../../../text/format.ts";
import { kindOf, orderOf, readValues } from "../../../text/values.ts";
import {
  type Candidate,
  coverageOf,
  type Fit,
  listStated,
  mayAnswer,
  rank,
  type Reading,
  readSigns,
} from "./reader.ts";

const pairGain = 0.12;
const mostSteps = 24;

/** Something a statement names, the share of the question that the statement meets, and what it leaves open. */
type Step = { first: Statement; entity: string; met: number; open: string[] };

function listSteps({ asked, weights, ...reading }: Reading): Step[] {
  const steps = listReliable(reading).flatMap((first) => {
    const own = termsIn(`${first.said} ${first.title} ${first.about}`);
    const open = asked.terms.filter((term) => !own.has(term));
    const left = open.reduce((sum, term) => sum + (weights.of.get(term) ?? 0), 0);
    return listEntities(first, asked).map((entity) => ({ first, entity, met: 1 - left / weights.whole, open }));
  });
  return steps.toSorted((a, b) => b.met - a.met).slice(0, mostSteps);
}

/** Says which step is missing where one statement names somebody, and nothing says the rest about them; null if none is. */
export function explainMissingStep(reading: Reading): string | null {
  const [step, next] = listSteps(reading);
  if (!step || step.met < 0.5 || step.open.length === 0 || next?.first === step.first) return null;
  const { first, entity, open } = step;
  const wanted = open.map((term) => `“${reading.asked.wordOf.get(term) ?? term}”`).join(", ");
  return `“${first.text}” names ${entity}, but nothing found about ${entity} says ${wanted}.`;
}

/**
 * Answers from two statements: one identifies the thing meant, the other surely says what is asked about it (question spec
 * §7.2). `alone` is the coverage of the best single statement.
 */
export function listTwoSteps(reading: Reading, alone: number): Candidate[] {
  const { asked } = reading;
  const pairs = listSteps(reading).flatMap((step) => {
    const rest = {
      ...asked,
      question: `${asked.question} ${step.entity}`,
      terms: [...step.open, ...listTerms(step.entity)],
    };
    return listReliable(reading)
      .filter((second) => second !== step.first && hasWords(second, step.entity) && mayAnswer(second, asked))
      .flatMap((second) => listSpans(second, rest).flatMap((span) => joinSteps(reading, step, second, span) ?? []));
  });
  return pairs.filter((pair) => coverageOf(pair) > alone + pairGain);
}

function listReliable({ statements }: Pick<Reading, "statements">): Statement[] {
  return statements.filter((one) => one.kind !== "heading" && one.kind !== "question" && one.trust > 0.4);
}

function joinSteps(reading: Reading, step: Step, second: Statement, span: Span): Candidate | null {
  const { first, entity, open } = step;
  const { text: short, value } = span;
  const said = termsIn(`${span.said} ${second.about}`);
  const isSure = span.typed === 1 && ![entity, ""].includes(short) && !isGiven(short, reading.asked);
  if (!isSure || !open.some((term) => said.has(term))) return null;
  const scope = { own: `${first.said} ${span.said}`, above: `${first.title} ${first.about} ${second.about}` };
  const read = readSigns(reading, { statement: second, span, scope });
  // Either of the two statements may rank first in the search.
  const signs = { ...read, first: Math.max(read.first, 1 / (1 + reading.rankOf(first))) };
  const rule = `“${first.text}” names ${entity}; about ${entity} the documents say: “${second.text}”.`;
  return { statement: second, answer: short, short, value, signs, score: 0, how: "two_steps", steps: [first], rule };
}

/** Names and keys that a statement says and the question does not: capitalised words, "#12", "P2", a row's cells. */
function listEntities({ cells, said }: Statement, { question }: Asked): string[] {
  const named =
    cells.length > 1
      ? cells.map(({ value }) => value).filter((value) => /^\p{Lu}.{2,38}$/u.test(value))
      : (said.match(/\p{Lu}[\p{Ll}\d]+(?:\s\p{Lu}[\p{L}\d]+)+|(?<=[\p{Ll},]\s)\p{Lu}[\p{L}\d]+/gu) ?? []);
  const keys = said.match(/#\d+|(?<![\p{L}\p{N}])\p{L}+[_\d][\p{L}\d_]*/gu) ?? [];
  return [...new Set([...named.filter((name) => readValues(name).values.length === 0), ...keys])].filter(
    (entity) => !question.toLowerCase().includes(entity.toLowerCase()),
  );
}

/** True when a statement has these words, as they are written. */
function hasWords({ said, about, title }: Statement, wanted: string): boolean {
  const pattern = String.raw`(?<![\p{L}\p{N}_])${escapePattern(wanted)}(?![\p{L}\p{N}_]|\.\d)`;
  return new RegExp(pattern, "u").test(`${said} ${about} ${title}`);
}

type Side = { name: string; found: Candidate | null };

/** Answers a comparison with each alternative's value and quote, and the rule that picks one; a missing one is named (question spec §7.2). */
export function compareStated(reading: Reading, fit: Fit): Candidate | { missing: string } | null {
  const { asked } = reading;
  const how = words.compare.find(({ pattern }) => pattern.test(asked.question));
  const sides = how ? findSides(reading, fit, how.measure === "money" ? "money" : "number") : [];
  const missing = sides.filter(({ found }) => found === null).map(({ name }) => name);
  if (!how || missing.length === sides.length) return null;
  if (missing.length > 0) return { missing: missing.join(", ") };
  const sign = how.direction === "min" ? 1 : -1;
  const order = ({ found }: Side): number => sign * ((found?.value && orderOf(found.value)) ?? 0);
  const [won, next] = sides.toSorted((a, b) => order(a) - order(b)) as [Side, Side];
  const [one, other] = [won.found, next.found] as [Candidate, Candidate];
  const said = sides.map(({ name, found }) => `${name}: ${found?.short ?? ""}`).join("; ");
  if (!one.value || !other.value || kindOf(one.value) !== kindOf(other.value)) return { missing: said };
  if (order(won) === order(next)) return null;
  const rule = `${said}; the question asks for the ${how.direction === "min" ? "lowest" : "highest"}.`;
  const statements = [one.statement, other.statement];
  const scope = {
    own: statements.map((statement) => statement.said).join(" "),
    above: statements.map(({ about, title }) => `${title} ${about}`).join(" "),
  };
  const { statement } = one;
  const span = { text: won.name, value: one.value, typed: 1, at: null, said: statement.said };
  // The rule accounts for the comparing word and both names.
  const signs = { ...readSigns(reading, { statement, span, scope }), first: 1, near: 1 };
  const steps = other.statement === statement ? [] : [other.statement];
  return { ...one, answer: won.name, short: won.name, signs, how: "comparison", steps, rule };
}

const mostNamed = 6;

/** What a question names before and after its "or": on each side the longest run of words of which the documents state a value. */
function findSides(reading: Reading, fit: Fit, kind: string): Side[] {
  const [before = "", after] = reading.asked.question.split(words.or, 2);
  if (after === undefined) return [];
  const stated = rank(listStated({ ...reading, asked: { ...reading.asked, kind } }), fit);
  const wordsOf = (text = ""): string[] => text.split(/\s+/).filter(Boolean);
  const first = wordsOf(before.split(/[,:;?]/).at(-1));
  const second = wordsOf(after.split(/[,:;?]/)[0]);
  const cut = [(most: number) => first.slice(-most), (most: number) => second.slice(0, most)];
  const sides = cut.map((side) => {
    const names = Array.from({ length: mostNamed }, (_, at) => trimName(side(mostNamed - at)));
    const found = names.map((name) => ({ name, found: stated.find((one) => isValueOf(one, name)) ?? null }));
    return found.find((one) => one.found !== null) ?? null;
  });
  // A name that is not found is taken to be as long as the other.
  const length = sides.find((side) => side !== null)?.name.split(" ").length ?? 1;
  return sides.map((side, at) => side ?? { name: trimName(cut[at]?.(length) ?? []), found: null });
}

function isValueOf({ value, statement }: Candidate, name: string): boolean {
  const { kind, said, about, trust } = statement;
  const has = termsIn(kind === "entry" ? `${said} ${about}` : said);
  const isSaid = (word: string): boolean => {
    const terms = listTerms(word);
    return terms.length > 0
      ? terms.every((term) => has.has(term))
      : !/^\p{Lu}/u.test(word) || hasWords(statement, word);
  };
  return name !== "" && value !== null && orderOf(value) !== null && trust > 0.4 && name.split(" ").every(isSaid);
}

/** A name without articles and prepositions before it. */
function trimName(run: readonly string[]): string {
  const from = run.findIndex((word) => /^[\p{Lu}\d]/u.test(word) || listTerms(word).length > 0);
  return from < 0 ? "" : run.slice(from).join(" ");
}
