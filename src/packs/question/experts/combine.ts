import {
  type Asked,
  hasKey,
  isGiven,
  listKeys,
  listNames,
  listSpans,
  listTerms,
  makeScope,
  shareOf,
  type Span,
  type Statement,
  words,
} from "../../../knowledge/documents/index.ts";
import { kindOf, orderOf, readValues, type Value } from "../../../text/values.ts";
import { type Candidate, mayAnswer, type Reading, readSigns } from "./candidates.ts";
import { scoreSigns } from "./certainty.ts";

const pairGain = 0.12;
const mostFirsts = 12;

/** Answers that need two statements: one tells who or what is meant, the other says what is asked of that (question spec §7.2). */
export function findTwoSteps(reading: Reading, best: Candidate | undefined): Candidate | null {
  const { asked, coverage } = reading;
  const told = listTold(reading);
  const firsts = told
    .map((first) => {
      const scope = makeScope(first.said, `${first.title} ${first.about}`);
      const terms = asked.terms.filter((term) => shareOf(scope, term) > 0);
      return { first, terms, weight: terms.reduce((sum, term) => sum + coverage.weigh(term), 0) };
    })
    .filter(({ terms }) => terms.length > 0)
    .toSorted((a, b) => b.weight - a.weight)
    .slice(0, mostFirsts);
  const pairs = firsts.flatMap(({ first, terms }) =>
    listEntities(first, asked).flatMap((entity) =>
      told
        .filter((second) => second !== first && second.said.includes(entity) && mayAnswer(second, asked))
        .filter((second) => asked.keys.every((key) => hasKey(first, key) || hasKey(second, key)))
        .flatMap((second) => {
          const rest = {
            ...asked,
            question: `${asked.question} ${entity}`,
            terms: [...asked.terms.filter((term) => !terms.includes(term)), ...listTerms(entity)],
          };
          return listSpans(second, rest)
            .filter((span) => span.text !== "" && span.text !== entity && !isGiven(span.text, asked))
            .flatMap((span) => joinSteps(reading, { first, second, entity, span, terms }) ?? []);
        }),
    ),
  );
  const [pair] = pairs.toSorted((a, b) => b.score - a.score);
  if (!pair || !best) return pair ?? null;
  return pair.signs.coverage > best.signs.coverage + pairGain ? pair : null;
}

function listTold({ statements }: Reading): Statement[] {
  return statements.filter((one) => one.kind !== "heading" && one.kind !== "question" && one.trust > 0.4);
}

type Steps = { first: Statement; second: Statement; entity: string; span: Span; terms: readonly string[] };

/** The answer of two statements; null when the second says nothing of what is asked beyond the first. */
function joinSteps(reading: Reading, { first, second, entity, span, terms }: Steps): Candidate | null {
  const own = makeScope(`${span.name} ${span.said}`, second.about);
  if (!reading.asked.terms.some((term) => !terms.includes(term) && shareOf(own, term) > 0)) return null;
  const scope = makeScope(`${first.said} ${span.said}`, `${first.title} ${first.about} ${second.about}`);
  const read = readSigns(reading, second, span, scope);
  // Of two statements that answer together, either may lead the search.
  const signs = { ...read, first: Math.max(read.first, 1 / (1 + reading.rankOf(first))) };
  const rule = `“${first.text}” names ${entity}; of ${entity} it is said: “${second.text}”.`;
  const { text: short, value } = span;
  const score = scoreSigns(reading.fit.rank, signs) * second.trust;
  return { statement: second, answer: short, short, value, signs, score, how: "two_steps", steps: [first], rule };
}

function listEntities({ cells, said }: Statement, asked: Asked): string[] {
  const inCells = cells
    .map(({ value }) => value)
    .filter((value) => value.length > 2 && value.length < 40 && /^\p{Lu}/u.test(value));
  const names = [
    ...listNames(said, asked).map(({ text }) => text),
    ...[...said.matchAll(/(?<=[\p{Ll},]\s)(?:\p{Lu}[\p{L}\d]+)(?:\s\p{Lu}[\p{L}\d]+)*|#\d+/gu)].map(([name]) => name),
  ];
  return [...new Set([...inCells, ...names])].filter(
    (entity) =>
      !asked.question.toLowerCase().includes(entity.toLowerCase()) &&
      (entity.startsWith("#") || readValues(entity).values.length === 0),
  );
}

type Side = { name: string; value: Value; text: string; statement: Statement };

/** Answers that compare: each alternative's value with its quote, and the rule that picks one; a missing one is named (question spec §7.2). */
export function compareStated(reading: Reading): Candidate | { missing: string } | null {
  const { asked, fit } = reading;
  const how = words.compare.find(({ pattern }) => pattern.test(asked.question));
  const names = listAlternatives(asked.question);
  if (!how || names.length !== 2) return null;
  const found = names.map((name) => findSide(reading, name, how.measure === "money" ? "money" : "number") ?? name);
  const missing = found.find((side) => typeof side === "string");
  if (missing !== undefined) return { missing };
  const sides = found.filter((side) => typeof side !== "string");
  if (new Set(sides.map(({ value }) => nameKind(value))).size !== 1)
    return { missing: sides.map(({ name, text }) => `${name} (${text})`).join(", ") };
  const sign = how.direction === "min" ? 1 : -1;
  const [won, next] = sides.toSorted((a, b) => sign * (order(a.value) - order(b.value)));
  if (!won || !next || order(won.value) === order(next.value)) return null;
  const rule = `${sides.map(({ name, text }) => `${name}: ${text}`).join("; ")}; the ${how.direction === "min" ? "least" : "greatest"} of them is asked for.`;
  const { statement, name: short, value } = won;
  const scope = makeScope(
    `${statement.said} ${next.statement.said}`,
    [statement, next.statement].map(({ about, title }) => `${title} ${about}`).join(" "),
  );
  const span = { text: short, value, typed: 1, name: "", at: null, said: statement.said, given: 1 };
  // The comparing word and the names of the two are accounted for by the rule.
  const compared = listTerms(how.pattern.exec(asked.question)?.[0] ?? "");
  const about = { ...asked, terms: asked.terms.filter((term) => !compared.includes(term)), keys: [] };
  const signs = { ...readSigns({ ...reading, asked: about }, statement, span, scope), first: 1, near: 1 };
  const steps = next.statement === statement ? [] : [next.statement];
  const score = scoreSigns(fit.rank, signs) * statement.trust;
  return { statement, answer: short, short, value, signs, score, how: "comparison", steps, rule };
}

/** How long stretches of time are, in seconds, by the measures in which they are told. */
const stretches: Record<string, number> = { time: 1, "working days": 86_400, months: 30 * 86_400 };

function nameKind(value: Value): string {
  return value.kind === "number" && stretches[value.measure ?? ""] !== undefined ? "time" : kindOf(value);
}

function order(value: Value): number {
  const scale = value.kind === "number" ? (stretches[value.measure ?? ""] ?? 1) : 1;
  return (orderOf(value) ?? 0) * scale;
}

function findSide(reading: Reading, name: string, kind: string): Side | null {
  const { asked: whole } = reading;
  const keys = /^[A-Z0-9]{1,3}$/.test(name) ? [name] : listKeys(name);
  const asked = { ...whole, kind, question: name, terms: [...whole.terms, ...listTerms(name)], keys };
  const own = listTerms(readValues(name).rest).filter((term) => !keys.some((key) => key.toLowerCase() === term));
  const isAbout = (one: Statement): boolean => {
    const scope = makeScope(one.said, one.kind === "entry" ? one.about : "");
    const isNamed = own.every((term) => shareOf(scope, term) > 0);
    return isNamed && keys.every((key) => hasKey(one, key));
  };
  const [best] = listTold(reading)
    .filter(isAbout)
    .flatMap((statement) => listSpans(statement, asked).map((span) => ({ statement, span })))
    .filter(({ span }) => span.value !== null && orderOf(span.value) !== null)
    .map((one) => ({ ...one, score: scoreSide(reading, one.statement, one.span, own) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  return best ? { name, value: best.span.value as Value, text: best.span.text, statement: best.statement } : null;
}

function scoreSide(reading: Reading, statement: Statement, span: Span, own: readonly string[]): number {
  const asked = reading.asked.terms.filter((term) => !own.includes(term));
  const context = makeScope(span.said, `${statement.title} ${statement.about}`);
  const named = span.name === "" ? context : makeScope(span.name, "");
  const shared = asked.reduce((sum, term) => sum + shareOf(named, term) + 0.3 * shareOf(context, term), 0);
  return shared + (span.given > 0 ? 0.5 : 0) + 0.2 * span.typed;
}

/** The two things that a question names with "or"; where it goes on behind them, the second is as long as the first. */
function listAlternatives(question: string): string[] {
  const [, first = "", second = ""] = words.alternatives.exec(question) ?? [];
  if (first === "" || second === "") return [];
  const [one = "", other = ""] = [first, second].map((name) => name.replace(/^(?:(?:the|an?)\s+)+/i, "").trim());
  const isAtEnd = !words.asks.some(({ kind, pattern }) => kind === "yesno" && pattern.test(question.trim()));
  return [one, isAtEnd ? other : other.split(/\s+/).slice(0, one.split(/\s+/).length).join(" ")];
}
