import { readFileSync } from "node:fs";
import { remember } from "../../text/search.ts";
import { segmentSentences } from "../../text/split-text.ts";
import { currencies, findUnit, isSameValue, readValues, type Value } from "../../text/values.ts";
import type { Statement } from "./statements.ts";
import { listTerms, termsIn, words } from "./words.ts";

/** A parsed question: the kind of thing it asks for, its words, and a time. */
export type Asked = {
  question: string;
  /** The kind of answer asked for; null when the words do not say. */
  kind: string | null;
  counted: string | null;
  terms: string[];
  wordOf: ReadonlyMap<string, string>;
  /** The last day asked about; null without a time. */
  upTo: number | null;
  year: string | null;
};

const askingWords = /\bhow (?:often|long|soon|far|frequently|regularly|many|much)\b/i;
export const readQuestion = remember(500, (question: string): Asked => {
  // The last sentence asks; earlier ones give context.
  const ask =
    [...segmentSentences(question.trim())].findLast((sentence) => /[?？]\s*$/.test(sentence)) ?? question.trim();
  // The first phrase decides ("When is the fee due?" asks when); of two at one place, the longer ("how much is", not
  // "how much").
  const [first] = words.asks
    .flatMap(({ kind, pattern }) => {
      const found = pattern.exec(ask);
      return found ? [{ kind, at: found.index, length: found[0].length }] : [];
    })
    .toSorted((a, b) => a.at - b.at || b.length - a.length);
  const counted = words.counted.exec(ask)?.slice(1).find(Boolean) ?? null;
  const isCount = counted !== null && [undefined, "yesno", "money", "number"].includes(first?.kind);
  return {
    question,
    kind: isCount ? "count" : (first?.kind ?? null),
    counted,
    wordOf: new Map(
      (question.match(/[\p{L}\p{M}]+/gu) ?? []).flatMap((word) => listTerms(word).map((term) => [term, word])),
    ),
    terms: [...new Set(listTerms(question.replace(askingWords, "")))],
    ...readTime(question),
  };
});

function readTime(question: string): Pick<Asked, "upTo" | "year"> {
  const date = readValues(question).values.find((value) => value.kind === "date" && value.readings[0]?.year != null);
  const year = /(?<![\d.,-])((?:19|20)\d\d)(?![\d,-])/.exec(question)?.[1] ?? null;
  const parts = date?.kind === "date" ? date.readings[0] : undefined;
  if (parts?.year != null) return { upTo: parts.year * 10_000 + (parts.month ?? 12) * 100 + (parts.day ?? 31), year };
  return { upTo: year === null ? null : Number(year) * 10_000 + 1231, year };
}

/** A part of a statement that may answer; without a text, all of it. `said` are the words about it. */
export type Span = { text: string; value: Value | null; typed: number; at: number | null; said: string };
type Found = Omit<Span, "said">;

const wholeOf = (typed: number): Found => ({ text: "", value: null, typed, at: null });

/** The parts of a statement that may answer: the open cells of a row, the value of an entry, typed values and names, or all of it. */
export function listSpans({ cells, said, about, headings }: Statement, asked: Asked): Span[] {
  const [entry] = cells;
  if (cells.length > 1) return listCells(cells, asked);
  if (!entry) {
    const found = findTyped(said, asked, asked.kind === "cause" ? (headings.at(-1) ?? "") : `${about} ${said}`);
    return (found.length > 0 ? found : [wholeOf(0)]).map((one) => ({ ...one, said }));
  }
  const from = said.length - entry.value.length;
  const placed = findTyped(entry.value, asked, entry.name, listTerms(entry.value).length < 4).flatMap((part) =>
    part.at === null ? [] : [{ ...part, at: part.at + from, said }],
  );
  if (placed.length > 0) return placed;
  const value = readValues(entry.value).values[0] ?? null;
  return isGiven(entry.value, asked) ? [] : [{ text: entry.value, value, typed: 0, at: null, said }];
}

function listCells(cells: Statement["cells"], asked: Asked): Span[] {
  const given = cells.filter(({ value }) => isGiven(value, asked));
  const open = cells.filter((cell) => cell.value !== "" && !given.includes(cell));
  const others = given.length > 0 ? given : open.map(({ value }) => ({ name: "", value }));
  return open.map((cell) => {
    const about = [cell, ...others.filter((one) => one !== cell)];
    const fitting = findTyped(cell.value, asked, cell.name, true).map(({ typed }) => typed);
    return {
      text: cell.value,
      value: readValues(cell.value).values[0] ?? null,
      typed: Math.max(0, ...fitting),
      at: null,
      said: about.map(({ name, value }) => `${name} ${value}`).join(" "),
    };
  });
}

/** What in a text is of the asked kind; `about` are words that describe it. */
function findTyped(text: string, asked: Asked, about: string, isCell = false): Found[] {
  switch (asked.kind) {
    case null:
    case "yesno":
      return [];
    case "cause":
      return words.cause.test(text) || words.causeHeading.test(about) ? [wholeOf(1)] : [];
    case "place":
      // A place follows a preposition, unless the question itself names it.
      return [...text.matchAll(words.place)].some(({ index, 0: found }) => {
        const next = listTerms(text.slice(index + found.length).split(/[,;.]/)[0] ?? "").slice(0, 3);
        return next.some((term) => !asked.terms.includes(term));
      })
        ? [wholeOf(1)]
        : [];
    case "person":
      return listNames(text, asked);
    case "frequency":
      return [...text.matchAll(words.frequencyValue)].map(({ 0: found, index }) => spanOf(found.trim(), index));
    default:
      return listValues(text, asked, about, isCell);
  }
}

const spanOf = (text: string, at: number): Found => ({ text, value: null, typed: 1, at });

const namePattern =
  /(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?\p{Lu}[\p{Ll}'’-]+(?:\s+(?:de|van|von|der|bin|al-)?\s*\p{Lu}[\p{Ll}'’-]+)+|\p{Lu}[\p{Ll}'’-]+/gu;

function listNames(text: string, { question }: Pick<Asked, "question">): Found[] {
  const { rest } = readValues(text);
  const names = [...text.matchAll(namePattern)].filter(({ 0: name, index }) => {
    const before = text.slice(0, index);
    const isLong = name.includes(" ");
    const isThing = /\bthe\s+$/i.test(before) || (!isLong && /\b(?:at|in|on|near|of|to|from)\s+$/i.test(before));
    const isFirst = index === 0 || /[.!?:]\s*$/.test(before);
    const isWord =
      isFirst &&
      !isLong &&
      !/^\s+(?:is|was|has|had|did|does|may|must|can|will|\p{L}+ed)\b/u.test(text.slice(index + name.length));
    const isNew =
      listTerms(name).length > 0 && !question.toLowerCase().includes(name.replace(/['’]s$/, "").toLowerCase());
    return !isWord && !isThing && isNew && rest.includes(name.split(" ").at(-1) ?? "");
  });
  const people = names.filter(({ 0: name }) => name.includes(" "));
  return (people.length > 0 ? people : names).slice(0, 8).map(({ 0: name, index }) => spanOf(name, index));
}

export function isGiven(value: string, { terms }: Asked): boolean {
  const own = listTerms(value);
  const shared = own.filter((term) => terms.includes(term)).length;
  return own.length > 0 && shared / own.length > 0.5;
}

/** Measures and kinds of values that answer a question; a year is a date too. */
const { measures, valueKinds } = JSON.parse(
  readFileSync(new URL("../../../data/question/kinds.json", import.meta.url), "utf8"),
) as { measures: Record<string, readonly string[]>; valueKinds: Record<string, readonly Value["kind"][]> };

/** True when a value is of the kind asked for; `about` are words that describe it. */
function fits(value: Value, text: string, { kind, counted }: Asked, about: string): boolean {
  const measure = value.kind === "number" ? value.measure : undefined;
  if (kind !== null && measures[kind]) return measures[kind].includes(measure ?? "");
  if (kind !== null && valueKinds[kind]) {
    const isYear = measure === null && /^(?:1[5-9]|20)\d\d$/.test(text.slice(value.at, value.at + value.length).trim());
    return valueKinds[kind].includes(value.kind) || (isYear && (kind === "date" || kind === "when"));
  }
  if (kind === "count") return isCountOf(value, text, counted ?? "", about);
  if (kind === "size") return typeof measure === "string";
  if (kind === "age") return measure === null || measure === "months";
  if (kind !== "money") return measure === null || value.kind === "ordinal";
  if (measure === null) return words.asks.some((one) => one.kind === "money" && one.pattern.test(about));
  return measure !== undefined && (currencies.has(measure) || measure === "share");
}

/** A bare number may answer where a cell leaves out its unit, or where any number is asked for. */
function mayFit(value: Value, { kind }: Asked, isCell: boolean): boolean {
  if (value.kind !== "number") return kind === "weekday" && value.kind === "ordinal";
  if (value.measure === null) return isCell || ["count", "number", "size", "age"].includes(kind ?? "");
  return kind === "when" && ["time", "months"].includes(value.measure);
}

/** A count is followed by the thing counted, has it as its unit, or stands under its name ("Seats: 12"). */
function isCountOf(value: Value, text: string, counted: string, about: string): boolean {
  if (value.kind !== "number") return false;
  const unit = findUnit(counted) ?? findUnit(counted.split(/\s+/)[0] ?? "");
  if (unit) return value.measure === unit.measure && (value.factor === unit.factor || unit.measure === "time");
  const [before, after] = [text.slice(0, value.at), text.slice(value.at + value.length)];
  const next = listTerms(after.split(/[.;:]/)[0] ?? "").slice(0, 3);
  const name = listTerms(`${/([^,.;:]+):\s*$/.exec(before)?.[1] ?? ""} ${about}`);
  const isCounted = listTerms(counted).some((term) => next.includes(term) || name.includes(term));
  return (value.measure === null || value.measure === "share") && (isCounted || /\p{Script=Hangul}/u.test(counted));
}

const codePattern = /(?<![\p{L}\p{N}])(?=[\d+(])[\d+][\d .()/-]*\d(?![\p{L}\p{N}])/gu;

function listValues(text: string, asked: Asked, about: string, isCell: boolean): Found[] {
  const codes = asked.kind === "number" ? [...text.matchAll(codePattern)] : [];
  const spelt = codes.filter(([code]) => /[-/ ]|\.\d{2,}/.test(code.trim()));
  if (spelt.length > 0) return spelt.map(({ 0: code, index }) => spanOf(code.trim(), index));
  const given = readValues(asked.question).values.map((value) => ({ ...value, bound: null }));
  const found = readValues(text).values.filter(
    (value) => !given.some((one) => one.kind === value.kind && isSameValue(one, { ...value, bound: null })),
  );
  const fitting = found.filter((value) => fits(value, text, asked, about));
  if (fitting.length > 0) return joinRanges(fitting, text);
  const possible = found.filter((value) => mayFit(value, asked, isCell));
  return joinRanges(possible, text).map((span) => ({ ...span, typed: 0.5 }));
}

const rangeMark = /^\s*(?:to|until|till|–|-|—|sampai|hingga|부터|에서|~)\s*$/iu;

/** Two values of one kind that are the ends of a range are one. */
function joinRanges(values: readonly Value[], text: string): Found[] {
  const spans: { value: Value; at: number; end: number }[] = [];
  for (const value of values) {
    const last = spans.at(-1);
    // "19 of 23" says 19.
    if (last && /^\s*(?:out )?of\s*$/.test(text.slice(last.end, value.at))) continue;
    const end = value.at + value.length;
    const isRange = last?.value.kind === value.kind && rangeMark.test(text.slice(last.end, value.at));
    if (isRange) spans.pop();
    // "4 to 22 May" begins before its date.
    const from = value.kind === "date" ? /\d{1,2}\s*(?:to|–|-|until)\s*$/.exec(text.slice(0, value.at)) : null;
    spans.push(isRange ? { ...last, end } : { value, at: from?.index ?? value.at, end });
  }
  return spans.map(({ value, at, end }) => ({
    text: text
      .slice(at, end)
      .trim()
      .replace(/[,;.]$/, ""),
    value,
    typed: 1,
    at,
  }));
}

const parting = /[,;.:()]|(?<!\p{L})(?:and|or|but|while|dan|atau|sedangkan)(?!\p{L})|이고|이며|(?<=\p{L})고(?=\s)/iu;

/**
 * How the asked words of a text are shared out among its parts: each belongs to the nearest part, those before all parts to
 * all. For each part, the share of the weight that is its own (0 to 1); where no word tells them apart, all have half.
 */
export function shareWords(
  text: string,
  places: readonly { at: number; length: number }[],
  weights: ReadonlyMap<string, number>,
): number[] {
  const owned = places.map(() => 0);
  // Words before all parts apply to all of them.
  const common = termsIn(text.slice(0, places[0]?.at ?? 0));
  let whole = 0;
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const weight = Math.max(0, ...[...termsIn(word)].map((term) => (common.has(term) ? 0 : (weights.get(term) ?? 0))));
    if (weight === 0 || index < (places[0]?.at ?? 0)) continue;
    const farness = places.map(({ at, length }) => {
      const [from, to] = index < at ? [index + word.length, at] : [at + length, index];
      // A part behind a comma or "and" is farther away.
      return Math.max(0, to - from) + (parting.test(text.slice(from, to)) ? 30 : 0);
    });
    const nearest = farness.indexOf(Math.min(...farness));
    owned[nearest] = (owned[nearest] ?? 0) + weight;
    whole += weight;
  }
  return owned.map((own, place) => (whole === 0 ? (place === 0 ? 0.5 : 0.4) : own / whole));
}
