import {
  type Asked,
  hasKey,
  isGiven,
  listKeys,
  listNames,
  listSpans,
  listTerms,
  type Span,
  type Statement,
  termsIn,
  words,
} from "../../../knowledge/documents/index.ts";
import { kindOf, orderOf, readValues, type Value } from "../../../text/values.ts";
import { type Candidate, coverageOf, mayAnswer, type Reading, readSigns } from "./reader.ts";

const pairGain = 0.12;
const mostFirsts = 12;

type First = { first: Statement; met: number; open: string[] };

/** The statements that meet most of the question, with what they leave open. */
function listFirsts({ asked, weights, ...reading }: Reading): First[] {
  return listReliable(reading)
    .map((first) => {
      const own = termsIn(`${first.said} ${first.title} ${first.about}`);
      const open = asked.terms.filter((term) => !own.has(term));
      const left = open.reduce((sum, term) => sum + (weights.of.get(term) ?? 0), 0);
      return { first, open, met: 1 - left / weights.whole };
    })
    .toSorted((a, b) => b.met - a.met)
    .slice(0, mostFirsts);
}

/** Says which step is missing where one statement names somebody, and nothing says the rest about them; null if none is. */
export function explainMissingStep(reading: Reading): string | null {
  const { keys } = reading.asked;
  const best = listFirsts(reading).find(({ first }) => keys.every((key) => hasKey(first, key)));
  const [entity, ...others] = best ? listEntities(best.first, reading.asked) : [];
  const isOnly = others.every((other) => entity?.includes(other));
  if (!best || entity === undefined || !isOnly || best.met < 0.5 || best.open.length === 0) return null;
  const wanted = best.open.map((term) => `“${reading.asked.wordOf.get(term) ?? term}”`).join(", ");
  return `“${best.first.text}” names ${entity}, but nothing found about ${entity} says ${wanted}.`;
}

/**
 * Answers from two statements: one identifies the thing meant, the other surely says what is asked about it (question spec
 * §7.2). `alone` is the coverage of the best single statement.
 */
export function listTwoSteps(reading: Reading, alone: number): Candidate[] {
  const { asked } = reading;
  const pairs = listFirsts(reading).flatMap(({ first, open }) =>
    listEntities(first, asked).flatMap((entity) => {
      const rest = { ...asked, question: `${asked.question} ${entity}`, terms: [...open, ...listTerms(entity)] };
      const isSure = ({ text, typed }: Span): boolean => typed === 1 && text !== entity && !isGiven(text, asked);
      return listReliable(reading)
        .filter((second) => second !== first && hasKey(second, entity) && mayAnswer(second, asked))
        .flatMap((second) =>
          listSpans(second, rest)
            .filter((span) => {
              const own = termsIn(`${span.name} ${span.said} ${second.about}`);
              return span.text !== "" && isSure(span) && open.some((term) => own.has(term));
            })
            .map((span) => joinSteps(reading, { first, second, entity, span })),
        );
    }),
  );
  return pairs.filter((pair) => coverageOf(pair) > alone + pairGain);
}

function listReliable({ statements }: Pick<Reading, "statements">): Statement[] {
  return statements.filter((one) => one.kind !== "heading" && one.kind !== "question" && one.trust > 0.4);
}

type Steps = { first: Statement; second: Statement; entity: string; span: Span };

function joinSteps(reading: Reading, { first, second, entity, span }: Steps): Candidate {
  const scope = { own: `${first.said} ${span.said}`, above: `${first.title} ${first.about} ${second.about}` };
  const read = readSigns(reading, { statement: second, span, scope });
  // Either of the two statements may rank first in the search.
  const signs = { ...read, first: Math.max(read.first, 1 / (1 + reading.rankOf(first))) };
  const rule = `“${first.text}” names ${entity}; about ${entity} the documents say: “${second.text}”.`;
  const { text: short, value } = span;
  return { statement: second, answer: short, short, value, signs, score: 0, how: "two_steps", steps: [first], rule };
}

function listEntities({ cells, said }: Statement, asked: Asked): string[] {
  const named =
    cells.length > 1
      ? cells.map(({ value }) => value).filter((value) => /^\p{Lu}.{2,38}$/u.test(value))
      : [
          ...listNames(said, asked).map(({ text }) => text),
          ...[...said.matchAll(/(?<=[\p{Ll},]\s)(?:\p{Lu}[\p{L}\d]+)(?:\s\p{Lu}[\p{L}\d]+)*|#\d+/gu)].map(
            ([name]) => name,
          ),
        ];
  const keys = listKeys(said);
  return [...new Set([...named, ...keys])].filter(
    (entity) =>
      !asked.question.toLowerCase().includes(entity.toLowerCase()) &&
      (entity.startsWith("#") || keys.includes(entity) || readValues(entity).values.length === 0),
  );
}

type Side = { name: string; value: Value; text: string; statement: Statement };

/** Answers a comparison with each alternative's value and quote, and the rule that picks one; a missing one is named (question spec §7.2). */
export function compareStated(reading: Reading): Candidate | { missing: string } | null {
  const { asked } = reading;
  const how = words.compare.find(({ pattern }) => pattern.test(asked.question));
  const found = how ? findSides(reading, how.measure === "money" ? "money" : "number") : null;
  if (!how || !found) return null;
  const missing = found.find((side) => typeof side === "string");
  if (missing !== undefined) return { missing };
  const sides = found.filter((side) => typeof side !== "string");
  if (new Set(sides.map(({ value }) => kindOf(value))).size !== 1)
    return { missing: sides.map(({ name, text }) => `${name} (${text})`).join(", ") };
  const sign = how.direction === "min" ? 1 : -1;
  const order = ({ value }: Side): number => sign * (orderOf(value) ?? 0);
  const [won, next] = sides.toSorted((a, b) => order(a) - order(b));
  if (!won || !next || order(won) === order(next)) return null;
  const rule = `${sides.map(({ name, text }) => `${name}: ${text}`).join("; ")}; the question asks for the ${how.direction === "min" ? "lowest" : "highest"}.`;
  const { statement, name: short, value } = won;
  const scope = {
    own: `${statement.said} ${next.statement.said}`,
    above: [statement, next.statement].map(({ about, title }) => `${title} ${about}`).join(" "),
  };
  const span = { text: short, value, typed: 1, name: "", at: null, said: statement.said, given: 1 };
  const read = readSigns({ ...reading, asked: { ...asked, keys: [] } }, { statement, span, scope });
  const steps = next.statement === statement ? [] : [next.statement];
  // The rule accounts for the comparing word and both names.
  const signs = { ...read, first: 1, near: 1 };
  return { statement, answer: short, short, value, signs, score: 0, how: "comparison", steps, rule };
}

function findSide(reading: Reading, name: string, kind: string): Side | null {
  if (name === "") return null;
  const keys = /^[A-Z0-9]{1,3}$/.test(name) ? [name] : listKeys(name);
  const asked = { ...reading.asked, kind, terms: [...reading.asked.terms, ...listTerms(name)], keys };
  const own = listTerms(readValues(name).rest).filter((term) => !keys.some((key) => key.toLowerCase() === term));
  const isAbout = (one: Statement): boolean => {
    const named = termsIn(one.kind === "entry" ? `${one.said} ${one.about}` : one.said);
    return own.every((term) => named.has(term)) && keys.every((key) => hasKey(one, key));
  };
  const open = reading.asked.terms.filter((term) => !own.includes(term));
  const scoreSide = ({ title, about }: Statement, { said, name: column, typed, given }: Span): number => {
    const context = termsIn(`${said} ${title} ${about}`);
    const named = column === "" ? context : termsIn(column);
    const shared = open.reduce((sum, term) => sum + Number(named.has(term)) + 0.3 * Number(context.has(term)), 0);
    return shared + 0.5 * Number(given > 0) + 0.2 * typed;
  };
  const [best] = listReliable(reading)
    .filter(isAbout)
    .flatMap((statement) => listSpans(statement, asked).map((span) => ({ statement, span })))
    .filter(({ span }) => span.value !== null && orderOf(span.value) !== null)
    .toSorted((a, b) => scoreSide(b.statement, b.span) - scoreSide(a.statement, a.span));
  return best ? { name, value: best.span.value as Value, text: best.span.text, statement: best.statement } : null;
}

const mostNamed = 6;

/** What a question names before and after its "or": on each side the longest run of words of which the documents state a value. */
function findSides(reading: Reading, measure: string): [Side | string, Side | string] | null {
  const [before, after] = reading.asked.question.split(words.or, 2);
  if (before === undefined || after === undefined) return null;
  const wordsOf = (text = ""): string[] => text.split(/\s+/).filter(Boolean);
  const first = wordsOf(before.split(/[,:;?]/).at(-1));
  const second = wordsOf(after.split(/[,:;?]/)[0]);
  const lengths = Array.from({ length: mostNamed }, (_, at) => mostNamed - at);
  const find = (runs: string[][]): Side | null =>
    runs.reduce<Side | null>((found, run) => found ?? findSide(reading, trimName(run), measure), null);
  const one = find(lengths.map((length) => first.slice(-length)));
  const other = find(lengths.map((length) => second.slice(0, length)));
  if (!one && !other) return null;
  // A name that is not found is taken to be as long as the other.
  const length = (one ?? other)?.name.split(" ").length ?? 1;
  return [one ?? trimName(first.slice(-length)), other ?? trimName(second.slice(0, length))];
}

/** A name without articles and prepositions before it. */
function trimName(run: readonly string[]): string {
  const from = run.findIndex(
    (word) => /^\p{Lu}/u.test(word) || listTerms(word).length > 0 || listKeys(`x ${word}`).length > 0,
  );
  return from < 0 ? "" : run.slice(from).join(" ");
}
