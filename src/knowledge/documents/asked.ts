import { currencies, findUnit, isSameValue, readValues, type Value } from "../../text/values.ts";
import { remember } from "../../text/remember.ts";
import { segmentSentences } from "../../text/split-text.ts";
import type { Statement } from "./statements.ts";
import { familyOf, kindOfTerm, listTerms, words } from "./words.ts";

/** What a question asks for: a kind of thing, words, keys such as "jetty C", and a time. */
export type Asked = {
  question: string;
  /** What kind of thing answers it; null when its words do not say. */
  kind: string | null;
  /** What is counted, where it asks how many. */
  counted: string | null;
  terms: string[];
  /** The thing asked for, where it asks which, what or how many. */
  focus: string[];
  /** Letters, numbers and identifiers that name one of several things. */
  keys: string[];
  /** The last day that it asks about; null when it names no time. */
  upTo: number | null;
  year: string | null;
};

/** Words that only ask. */
const askingWords = /\bhow (?:often|long|soon|far|frequently|regularly|many|much)\b/i;
/** What names one of several things: "jetty C", "room 12", "P2", "lease_seconds", "2.1.0". */
const keyForm =
  /(?<=\p{L}{2,}\s)(?:[A-Z]\d*|\d{1,3}[A-Z]?)(?=[\s?,.;:]|$)|(?<![\p{L}\p{N}])(?:\p{L}+\d+[\p{L}\d]*|\p{L}+(?:_\p{L}+)+|\d+(?:\.\d+){2,})(?![\p{L}\p{N}])/gu;

/** Reads a question. */
export const readQuestion = remember(500, (question: string): Asked => {
  // The last sentence asks; what is told before it belongs to what is asked about.
  const ask =
    [...segmentSentences(question.trim())].findLast((sentence) => /[?？]\s*$/.test(sentence)) ?? question.trim();
  // What stands first in it says what for: "When is the fee due?" asks when.
  const [first] = words.asks
    .map(({ kind: name, pattern }) => ({ name, at: ask.search(pattern) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  const counted = words.counted.exec(ask)?.slice(1).find(Boolean) ?? null;
  const terms = [...new Set(listTerms(question.replace(askingWords, "")))];
  const kind = first?.name ?? (terms.some((term) => kindOfTerm(term) === "~price") ? "money" : null);
  const keys = listKeys(question);
  return {
    question,
    kind: isCount(kind, counted) ? "count" : kind,
    counted,
    focus: listTerms(words.focus.exec(ask)?.slice(1).find(Boolean) ?? ""),
    terms: terms.filter((term) => !keys.some((key) => key.toLowerCase() === term)),
    keys,
    ...readTime(question),
  };
});

/** The letters, numbers and identifiers in a text that name one of several things. */
export function listKeys(text: string): string[] {
  return [...new Set([...text.matchAll(keyForm)].map(([key]) => key))].filter((key) => key !== "I");
}

/** How many of something, unless what is counted is money. */
function isCount(kind: string | null, counted: string | null): boolean {
  if (counted === null) return false;
  const isMoney = kind === "money" && listTerms(counted).some((term) => kindOfTerm(term) !== null);
  return kind === null || ["yesno", "money", "number"].includes(kind) ? !isMoney : false;
}

/** The time that a question names: a date, or the end of a month or year. */
function readTime(question: string): Pick<Asked, "upTo" | "year"> {
  const date = readValues(question).values.find((value) => value.kind === "date" && value.readings[0]?.year != null);
  const year = /(?<![\d.,-])((?:19|20)\d\d)(?![\d,-])/.exec(question)?.[1] ?? null;
  const parts = date?.kind === "date" ? date.readings[0] : undefined;
  if (parts?.year != null) return { upTo: parts.year * 10_000 + (parts.month ?? 12) * 100 + (parts.day ?? 31), year };
  return { upTo: year === null ? null : Number(year) * 10_000 + 1231, year };
}

/** Part of a statement that may be what is asked for. */
export type Span = {
  /** What it says; empty when the statement as a whole answers. */
  text: string;
  value: Value | null;
  /** 1 when it is of the asked kind, 0.5 when it may be, 0 when nothing in it says so. */
  typed: number;
  /** What it is called: its column, or the name of the entry. */
  name: string;
  /** Where it stands in what the statement says; null for all of it. */
  at: number | null;
  /** The words by which it speaks of the question: for a cell, those of its own column and of the cells that the question gives. */
  said: string;
  /** How many cells of its row the question gives. */
  given: number;
};

/** Kinds that any statement may answer. */
const freeKinds = new Set([null, "yesno", "place", "cause"]);
const mostSpans = 8;

/** Lists what of a statement may be asked for; nothing, where the kind can be told and nothing in it is of that kind. */
export function listSpans(statement: Statement, asked: Asked): Span[] {
  const { cells, said, kind, headings } = statement;
  if (cells.length > 1) return listCells(statement, asked);
  const [entry] = cells;
  const heading = headings.at(-1) ?? "";
  const name = entry && kind !== "row" ? entry.name : "";
  const about = asked.kind === "cause" ? heading : `${statement.about} ${said}`;
  const spans = entry && name !== "" ? listInEntry(entry, said, asked) : listIn(said, asked, about);
  if (spans.length > 0 || freeKinds.has(asked.kind)) return spans.map((span) => ({ ...span, said, name, given: 0 }));
  const isAbove = headings.length > 1 && ["number", "date", "when", "weekday"].includes(asked.kind ?? "");
  return isAbove ? listIn(heading, asked, "").map((span) => ({ ...span, at: null, said, name, given: 0 })) : [];
}

/** What of an entry may be asked for: what it says under its name, or what of that is of the asked kind. */
function listInEntry({ name, value }: { name: string; value: string }, said: string, asked: Asked): Found[] {
  const spans = freeKinds.has(asked.kind) ? [] : listIn(value, asked, name);
  const isWhole = freeKinds.has(asked.kind) || (spans.length === 0 && isNamed(name, asked));
  const whole = {
    text: value,
    value: readValues(value).values[0] ?? null,
    typed: Math.max(0, ...spans.map(({ typed }) => typed)),
    at: null,
  };
  if (isWhole) return isGiven(value, asked) ? [] : [whole];
  const from = said.length - value.length;
  return spans.map((span) => ({ ...span, at: (span.at ?? 0) + from }));
}

type Found = Pick<Span, "text" | "value" | "typed" | "at">;

/** What of a text is of the asked kind; `about` are words that say what its numbers are. */
function listIn(text: string, asked: Asked, about: string): Found[] {
  const whole = (typed: number): Found[] => [{ text: "", value: null, typed, at: null }];
  switch (asked.kind) {
    case null:
      return whole(0);
    case "yesno":
      return [{ text: sayStance(text), value: null, typed: 0, at: null }];
    case "cause":
      return words.cause.test(text) || words.causeHeading.test(about)
        ? whole(1)
        : countNews(text, asked) > 1
          ? whole(0)
          : [];
    case "place":
      return words.place.test(text) ? whole(1) : /\p{Lu}/u.test(text.slice(1)) ? whole(0) : [];
    case "person": {
      const names = listNames(text, asked);
      if (names.length > 0) return names;
      return words.people.test(text) && countNews(text, asked) > 0 ? whole(0.5) : [];
    }
    case "frequency": {
      const all = [...text.matchAll(new RegExp(words.frequencyValue, "giu"))];
      return all.map(({ 0: found, index }) => ({ text: found.trim(), value: null, typed: 1, at: index }));
    }
    default:
      return listValues(text, asked, about);
  }
}

function sayStance(said: string): string {
  return /^(yes|no|ya|tidak|네|예|아니요)(?![\p{L}])/iu.exec(said)?.[1]?.toLowerCase() ?? "";
}

/** Counts the words of a text, numbers aside, that a question does not have. */
function countNews(text: string, { terms }: Asked): number {
  return new Set(listTerms(text).filter((term) => !terms.includes(term) && !/^\p{N}/u.test(term))).size;
}

const namePattern =
  /(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?\p{Lu}[\p{Ll}'’-]+(?:\s+(?:de|van|von|der|bin|al-)?\s*\p{Lu}[\p{Ll}'’-]+)+|\p{Lu}[\p{Ll}'’-]+/gu;

/** The names of people in a text that the question does not have: those of several words, where there are any. */
export function listNames(text: string, { question }: Pick<Asked, "question">): Found[] {
  const { rest } = readValues(text);
  const names = [...text.matchAll(namePattern)].filter(({ 0: name, index }) => {
    const before = text.slice(0, index);
    const isFirst = index === 0 || /[.!?:]\s*$/.test(before);
    const isThing =
      /\bthe\s+$/i.test(before) || (!name.includes(" ") && /\b(?:at|in|on|near|of|to|from)\s+$/i.test(before));
    const isWord =
      isFirst &&
      !name.includes(" ") &&
      !/^\s+(?:is|was|has|had|did|does|may|must|can|will|\p{L}+(?:ed|s))\b/u.test(text.slice(index + name.length));
    const isNew = listTerms(name).length > 0 && !question.toLowerCase().includes(name.toLowerCase());
    return !isWord && !isThing && isNew && rest.includes(name.split(" ").at(-1) ?? "");
  });
  const people = names.filter(({ 0: name }) => name.includes(" "));
  return (people.length > 0 ? people : names)
    .slice(0, mostSpans)
    .map(({ 0: name, index }) => ({ text: name, value: null, typed: 1, at: index }));
}

/** True when two words are of one family. */
export function isAkin(a: string, b: string): boolean {
  return a === b || familyOf(a) === familyOf(b);
}

function isNamed(name: string, { terms }: Asked): boolean {
  const own = listTerms(name);
  return own.length > 0 && own.every((term) => terms.some((one) => isAkin(one, term)));
}

/** True when the question itself gives most of what a cell says. */
export function isGiven(value: string, { terms, keys }: Pick<Asked, "terms" | "keys">): boolean {
  const own = listTerms(value);
  const shared = own.filter((term) => terms.includes(term)).length;
  return (own.length > 0 && shared / own.length > 0.5) || keys.includes(value.trim().replaceAll("`", ""));
}

/** The cells of a row that may answer: never one that the question gives itself. */
function listCells({ cells, said, kind }: Statement, asked: Asked): Span[] {
  const given = cells.filter(({ value }) => isGiven(value, asked));
  const open = cells.filter((cell) => cell.value !== "" && !given.includes(cell));
  const others = given.length > 0 ? given : open.map(({ value }) => ({ name: "", value }));
  return open.flatMap((cell): Span[] => {
    const typed = fitsKind(cell, asked);
    if (typed === 0 && !freeKinds.has(asked.kind) && !(kind === "row" && isNamed(cell.name, asked))) return [];
    const own = [cell, ...others.filter((one) => one !== cell)].map(({ name, value }) => `${name} ${value}`).join(" ");
    const value = readValues(cell.value).values[0] ?? null;
    return [{ text: cell.value, value, typed, name: cell.name, at: null, said: own || said, given: given.length }];
  });
}

function fitsKind({ name, value }: { name: string; value: string }, asked: Asked): number {
  const { kind } = asked;
  if (kind === "person")
    return Number(
      /^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.?\s+)?\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)+/u.test(value) ||
        /\p{Script=Hangul}{2,4}$/u.test(value),
    );
  if (kind === "frequency") return Number(words.frequencyValue.test(value));
  if (freeKinds.has(kind)) return 0;
  const { values } = readValues(value);
  if (values.some((one) => fits(one, value, asked, `${name} `))) return 1;
  return values.some((one) => mayFit(one, asked)) ? 0.5 : 0;
}

/** What kinds of amounts answer a question, by their measures. */
const measures: Record<string, readonly string[]> = {
  duration: ["time", "months", "working days", "length"],
  length: ["length", "area"],
  share: ["share", "points"],
  temperature: ["celsius", "fahrenheit", "degrees"],
  weight: ["mass"],
};

/** True when a value is of the kind that a question asks for; `about` are words that say what it is. */
function fits(value: Value, text: string, { kind, counted }: Asked, about: string): boolean {
  const [before, after] = [text.slice(0, value.at), text.slice(value.at + value.length)];
  const measure = value.kind === "number" ? value.measure : undefined;
  const isYear = measure === null && /^(?:1[5-9]|20)\d\d$/.test(text.slice(value.at, value.at + value.length).trim());
  if (kind !== null && measures[kind]) return measures[kind].includes(measure ?? "");
  switch (kind) {
    case "weekday":
      return value.kind === "weekday" || value.kind === "date";
    case "time":
      return value.kind === "time";
    case "month":
      return value.kind === "date";
    case "date":
      return value.kind === "date" || value.kind === "ordinal" || isYear;
    case "when":
      return ["date", "time", "weekday", "ordinal"].includes(value.kind) || isYear;
    case "size":
      return value.kind === "number";
    case "age":
      return measure === null || measure === "months";
    case "money":
      if (measure === null) return listTerms(about).some((term) => kindOfTerm(term) === "~price");
      return measure !== undefined && (currencies.has(measure) || measure === "share");
    case "count":
      return isCountOf(value, before, after, counted ?? "", about);
    default:
      return measure === null || value.kind === "ordinal";
  }
}

/** A bare number may count, cost or measure anything. */
function mayFit(value: Value, { kind }: Asked): boolean {
  const isBare = value.kind === "number" && value.measure === null;
  return isBare && (kind === "count" || kind === "money" || kind === "size" || kind === "length");
}

/** A count is followed by what is counted, has it as its unit, or stands under its name ("Seats: 12"). */
function isCountOf(value: Value, before: string, after: string, counted: string, about: string): boolean {
  if (value.kind !== "number") return false;
  const [noun = ""] = counted.split(/\s+/);
  const unit = findUnit(counted) ?? findUnit(noun);
  if (unit) return value.measure === unit.measure && (value.factor === unit.factor || unit.measure === "time");
  const nouns = listTerms(counted);
  const next = listTerms(after.split(/[.;:]/)[0] ?? "").slice(0, 3);
  const name = listTerms(`${/([^,.;:]+):\s*$/.exec(before)?.[1] ?? ""} ${about}`);
  const previous = listTerms(before).slice(-3);
  const isCounted = nouns.some((term) => [...next, ...name].some((one) => isAkin(one, term)));
  const isTold = /(?:to|of|is|are|was|were|:)\s*(?:about |only |at most |up to )?$/i.test(before);
  return (
    (value.measure === null || (value.measure === "share" && isCounted)) &&
    (isCounted || (nouns.some((term) => previous.includes(term)) && isTold) || /\p{Script=Hangul}/u.test(counted))
  );
}

/** Codes such as 4-112 or 7.303, which are read as they stand. */
const codePattern = /(?<![\p{L}\p{N}])(?=[\d+(])[\d+][\d .()/-]*\d(?![\p{L}\p{N}])/gu;

/** The values in a text that a question may ask for: of the asked kind, and not in the question itself. */
function listValues(text: string, asked: Asked, about: string): Found[] {
  const codes = asked.kind === "number" ? [...text.matchAll(codePattern)] : [];
  const spelt = codes.filter(([code]) => /[-/ ]|\.\d{2,}/.test(code.trim()));
  if (spelt.length > 0)
    return spelt.map(({ 0: code, index }) => ({ text: code.trim(), value: null, typed: 1, at: index }));
  const given = readValues(asked.question).values.map((value) => ({ ...value, bound: null }));
  const found = readValues(text)
    .values.filter(
      (value) => !given.some((one) => isSameValue(one, { ...value, bound: null }) && one.kind === value.kind),
    )
    .filter((value) => !isLabel(text, value.at));
  const fitting = found.filter((value) => fits(value, text, asked, about));
  if (fitting.length > 0) return joinRanges(fitting, text, asked);
  const possible = found.filter((value) => asked.kind === "count" && mayFit(value, asked));
  return joinRanges(possible, text, asked).map((span) => ({ ...span, typed: 0.5 }));
}

/** A number that only names a part of a document. */
function isLabel(text: string, at: number): boolean {
  return words.label.test(text.slice(0, at));
}

const rangeMark = /^\s*(?:to|until|till|–|-|—|sampai|hingga|부터|에서|~)\s*$/iu;

/** Two values of one kind that are the ends of a range are one, unless the question asks for one end; "4 to 22 May" begins before its date. */
function joinRanges(values: readonly Value[], text: string, asked: Asked): Found[] {
  const spans: (Found & { end: number })[] = [];
  for (const value of values) {
    const last = spans.at(-1);
    if (last && /^\s*(?:out )?of\s*$/.test(text.slice(last.end, value.at))) continue;
    const isRange = last?.value?.kind === value.kind && rangeMark.test(text.slice(last.end, value.at));
    const end = value.at + value.length;
    const span = { text: text.slice(value.at, end).trim(), value, typed: 1, at: value.at, end };
    const from = /\d{1,2}\s*(?:to|–|-|until)\s*$/.exec(text.slice(0, value.at));
    if (last && isRange && words.asksEnd.test(asked.question)) spans[spans.length - 1] = span;
    else if (last && isRange && !words.asksBegin.test(asked.question))
      spans[spans.length - 1] = { ...last, text: text.slice(last.at ?? 0, end).trim(), end };
    else if (from && value.kind === "date" && !words.asksEnd.test(asked.question))
      spans.push({ ...span, text: text.slice(from.index, end).replace(/,$/, ""), at: from.index });
    else if (!isRange) spans.push(span);
  }
  return spans.map(({ text: found, value, typed, at }) => ({ text: found.replace(/[,;]$/, ""), value, typed, at }));
}

/** What parts two things that a sentence says one after the other. */
const parting =
  /[,;.:()]|(?<![\p{L}])(?:and|or|but|while|dan|atau|sedangkan)(?![\p{L}])|이고|이며|(?<=\p{L})고(?=\s)/giu;

/**
 * How the asked words of a text are shared out among its parts: a word between two of them belongs to the one on its side of
 * the comma or "and"; one before all of them belongs to all. For each part, the share of the weight that is its own (0 to 1);
 * where no word tells them apart, all have half, the first a little more.
 */
export function shareWords(
  text: string,
  places: readonly { at: number; length: number }[],
  weights: ReadonlyMap<string, number>,
): number[] {
  const owned = places.map(() => new Map<string, number>());
  const present = new Set(listTerms(text));
  const isMeant = (wanted: string, term: string): boolean =>
    present.has(wanted) ? wanted === term : isAkin(wanted, term);
  const marks = [...text.matchAll(parting)].map(({ index }) => index);
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const terms = listTerms(word).flatMap((term) => [...weights.keys()].filter((wanted) => isMeant(wanted, term)));
    const next = places.findIndex(({ at }) => at > index);
    if (next === 0) for (const own of owned) for (const term of terms) own.set(term, weights.get(term) ?? 0);
    if (terms.length === 0 || next === 0 || places.some(({ at, length }) => index >= at && index < at + length))
      continue;
    const before = next < 0 ? places.length - 1 : next - 1;
    const [from, to] = [(places[before]?.at ?? 0) + (places[before]?.length ?? 0), places[next]?.at ?? text.length];
    const between = marks.filter((mark) => mark >= from && mark < to);
    const isAfter = between.some((mark) => mark < index);
    const isNearer = index - from <= to - index - word.length;
    const owner = next < 0 || (between.length > 0 ? !isAfter : isNearer) ? before : next;
    for (const term of terms) owned[owner]?.set(term, weights.get(term) ?? 0);
  }
  const all = new Map(owned.flatMap((own) => [...own]));
  const isTelling = (term: string): boolean => !owned.every((own) => own.has(term));
  const whole = [...all].reduce((sum, [term, weight]) => sum + (isTelling(term) ? weight : 0), 0);
  return owned.map((own, place) => {
    if (whole === 0) return place === 0 ? 0.5 : 0.4;
    return [...own].reduce((sum, [term, weight]) => sum + (isTelling(term) ? weight : 0), 0) / whole;
  });
}
