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
import { type Candidate, isAboutOthers, makeCandidate, mayAnswer, type Reading, readSigns } from "./candidates.ts";

/** How much more of the question two statements together must cover than the best one alone. */
const pairGain = 0.12;
/** How many statements are tried as the first of two. */
const mostFirsts = 12;

/** Answers that need two statements: one tells who or what is meant, the other says what is asked of that (question spec §7.2). */
export function findTwoSteps(reading: Reading, best: Candidate | undefined): Candidate | null {
  const { asked, statements } = reading;
  const told = statements.filter((one) => one.kind !== "heading" && one.kind !== "question" && one.trust > 0.4);
  const described =
    best && !best.isExpected && asked.kind === "person" ? findDescribed(reading, best.statement, told) : null;
  if (described) return described;
  const firsts = told
    .map((first) => ({ first, terms: listCovered(first, asked) }))
    .filter(({ terms }) => terms.length > 0)
    .map((one) => ({ ...one, weight: one.terms.reduce((sum, term) => sum + reading.coverage.weigh(term), 0) }))
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
  const isFuller = pair.signs.missing < best.signs.missing - 0.2 && pair.coverage > best.coverage;
  return isFuller || pair.coverage > best.coverage + pairGain ? pair : null;
}

type Steps = { first: Statement; second: Statement; entity: string; span: Span; terms: readonly string[] };

/** The answer of two statements; null when the second says nothing of what is asked beyond the first. */
function joinSteps(reading: Reading, { first: begin, second, entity, span, terms }: Steps): Candidate | null {
  const { asked } = reading;
  const own = makeScope(`${span.name} ${span.said}`, second.about);
  const more = asked.terms.filter((term) => !terms.includes(term) && shareOf(own, term) >= 0.5);
  if (more.length === 0) return null;
  const scope = makeScope(`${begin.said} ${span.said}`, `${begin.title} ${begin.about} ${second.about}`);
  // Of two statements that answer together, either may lead the search.
  const first = 1 / (1 + reading.rankOf(begin));
  const read = readSigns(reading, second, span, scope);
  const signs = { ...read, first: Math.max(first, read.first) };
  const { text: short, value, typed } = span;
  const rule = `“${begin.text}” names ${entity}; of ${entity} it is said: “${second.text}”.`;
  const about = {
    statement: second,
    answer: short,
    short,
    value,
    signs,
    rule,
    steps: [begin],
    terms: [...terms, ...more],
  };
  const score = (signs.coverage + 0.2 * signs.focus + 0.2 * signs.typed + 0.1 * signs.near) * second.trust;
  return makeCandidate({ ...about, coverage: signs.coverage, score, isExpected: typed === 1, how: "two_steps" });
}

/** Who is meant by a description that a statement gives: the cell under a column that it names, in a row that it names too. */
function findDescribed(reading: Reading, first: Statement, told: readonly Statement[]): Candidate | null {
  const asked = { ...reading.asked, question: first.said, terms: listTerms(first.said), focus: [] };
  for (const second of told.filter((one) => one !== first && one.cells.length > 0)) {
    const found = listSpans(second, asked).find(
      ({ typed, name, given }) =>
        typed === 1 && given > 0 && name !== "" && listTerms(name).every((term) => asked.terms.includes(term)),
    );
    if (!found) continue;
    const scope = makeScope(`${first.said} ${found.said}`, `${first.title} ${first.about}`);
    const signs = readSigns(reading, second, found, scope);
    const rule = `“${first.text}” describes whom it means; “${second.text}” names them: ${found.text}.`;
    const terms = reading.asked.terms.filter((term) => shareOf(scope, term) > 0);
    const about = { statement: second, answer: found.text, short: found.text, signs, rule, steps: [first], terms };
    return makeCandidate({ ...about, coverage: signs.coverage, how: "two_steps" });
  }
  return null;
}

function listCovered({ said, title, about }: Statement, { terms }: Asked): string[] {
  const scope = makeScope(said, `${title} ${about}`);
  return terms.filter((term) => shareOf(scope, term) >= 0.5);
}

/** The names in a statement that a question does not have: cells, people, and words with a capital inside a sentence. */
function listEntities(statement: Statement, asked: Asked): string[] {
  const { cells, said } = statement;
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
  const { asked } = reading;
  const how = words.compare.find(({ pattern }) => pattern.test(asked.question));
  const names = listAlternatives(asked.question);
  const compared = how?.pattern.exec(asked.question)?.[0] ?? "";
  if (!how || names.length !== 2) return null;
  const kind = how.measure === "money" ? "money" : "number";
  const sides = names.map((name) => findSide(reading, name, kind) ?? name);
  const missing = sides.find((side) => typeof side === "string");
  if (missing !== undefined) return { missing };
  const known = sides.filter((side) => typeof side !== "string");
  if (new Set(known.map(({ value }) => nameKind(value))).size !== 1)
    return { missing: known.map(({ name, text }) => `${name} (${text})`).join(", ") };
  const sign = how.direction === "min" ? 1 : -1;
  const [won, next] = known.toSorted((a, b) => sign * (order(a.value) - order(b.value)));
  if (!won || order(won.value) === (next ? order(next.value) : null)) return null;
  const rule = `${known.map(({ name, text }) => `${name}: ${text}`).join("; ")}; the ${how.direction === "min" ? "least" : "greatest"} of them is asked for.`;
  const others = known.map(({ statement }) => statement).filter((one) => one !== won.statement);
  const all = [won.statement, ...others];
  const scope = makeScope(
    all.map(({ said }) => said).join(" "),
    all.map(({ about, title }) => `${title} ${about}`).join(" "),
  );
  const span = { text: won.name, value: won.value, typed: 1, name: "", at: null, said: won.statement.said, given: 1 };
  // The comparing word and the names of the two are accounted for by the rule.
  const about = { ...asked, terms: asked.terms.filter((term) => !listTerms(compared).includes(term)), keys: [] };
  const signs = readSigns({ ...reading, asked: about }, won.statement, span, scope);
  const terms = asked.terms.filter((term) => shareOf(scope, term) > 0);
  const told = { statement: won.statement, answer: won.name, short: won.name, value: won.value, signs, terms, rule };
  return makeCandidate({ ...told, coverage: signs.coverage, how: "comparison", steps: others.slice(0, 6) });
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

/** The question as it is asked of one thing. */
function askAbout({ asked }: Reading, name: string, kind: string): Asked {
  const keys = /^[A-Z0-9]{1,3}$/.test(name) ? [name] : listKeys(name);
  return { ...asked, kind, question: name, terms: [...asked.terms, ...listTerms(name)], keys };
}

/** The value that is told of a thing under what the question is about, and by which statement. */
function findSide(reading: Reading, name: string, kind: string): Side | null {
  const asked = askAbout(reading, name, kind);
  const own = listTerms(readValues(name).rest).filter((term) => !asked.keys.some((key) => key.toLowerCase() === term));
  const isAbout = (one: Statement): boolean => {
    const scope = makeScope(one.said, "");
    return (
      !isAboutOthers(one, name) &&
      asked.keys.every((key) => hasKey(one, key)) &&
      own.every((term) => shareOf(scope, term) >= 0.8)
    );
  };
  const spans = reading.statements
    .filter((one) => one.trust > 0 && one.kind !== "heading" && one.kind !== "question" && isAbout(one))
    .flatMap((statement) => listSpans(statement, asked).map((span) => ({ statement, span })))
    .filter(({ span }) => span.value !== null && orderOf(span.value) !== null)
    .map((one) => ({ ...one, score: scoreSide(reading, one.statement, one.span, own) }))
    .filter(({ score }) => score > 0)
    .toSorted((a, b) => b.score - a.score);
  const [best] = spans;
  return best ? { name, value: best.span.value as Value, text: best.span.text, statement: best.statement } : null;
}

/** How far a value is what a question is about: by its column, or by the words that it stands near to. */
function scoreSide(reading: Reading, statement: Statement, span: Span, own: readonly string[]): number {
  const asked = reading.asked.terms.filter((term) => !own.includes(term));
  const scope = makeScope(span.name === "" ? span.said : span.name, "");
  const shared = asked.reduce((sum, term) => sum + shareOf(scope, term), 0);
  const context = makeScope(span.said, `${statement.title} ${statement.about}`);
  const around = asked.reduce((sum, term) => sum + shareOf(context, term), 0);
  const near = span.at === null ? 0 : readSigns(reading, statement, span, context).near;
  return shared + 0.3 * around + near + (span.given > 0 ? 0.5 : 0) + 0.2 * span.typed;
}

/** The two things that a question names with "or"; where it goes on behind them, the second is as long as the first. */
function listAlternatives(question: string): string[] {
  const [, first = "", second = ""] = words.alternatives.exec(question) ?? [];
  if (first === "" || second === "") return [];
  const [one = "", other = ""] = [first, second].map((name) => name.replace(/^(?:(?:the|an?)\s+)+/i, "").trim());
  const isAtEnd = !words.asks.some(({ kind, pattern }) => kind === "yesno" && pattern.test(question.trim()));
  return [one, isAtEnd ? other : other.split(/\s+/).slice(0, one.split(/\s+/).length).join(" ")];
}
