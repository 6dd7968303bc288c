import { remember } from "../../text/search.ts";
import { segmentSentences } from "../../text/split-text.ts";
import { currencies, findUnit, isSameValue, readValues, type Value } from "../../text/values.ts";
import type { Statement } from "./statements.ts";
import { listTerms, termsIn, words } from "./words.ts";

/** What a question asks for: a kind of thing, words, keys such as "jetty C", and a time. */
export type Asked = {
  question: string;
  /** What kind of thing answers it; null when its words do not say. */
  kind: string | null;
  counted: string | null;
  terms: string[];
  focus: string[];
  keys: string[];
  /** The last day that it asks about; null when it names no time. */
  upTo: number | null;
  year: string | null;
};

const askingWords = /\bhow (?:often|long|soon|far|frequently|regularly|many|much)\b/i;
/** "jetty C", "room 12", "P2", "lease_seconds", "2.1.0". */
const keyForm =
  /(?<=\p{L}{2,}\s)(?:[A-Z]\d*|\d{1,3}[A-Z]?)(?=[\s?,.;:]|$)|(?<![\p{L}\p{N}])(?:\p{L}+\d+[\p{L}\d]*|\p{L}+(?:_\p{L}+)+|\d+(?:\.\d+){2,})(?![\p{L}\p{N}])/gu;

export const readQuestion = remember(500, (question: string): Asked => {
  // The last sentence asks; what is told before it belongs to what is asked about.
  const ask =
    [...segmentSentences(question.trim())].findLast((sentence) => /[?？]\s*$/.test(sentence)) ?? question.trim();
  // What stands first in it says what for ("When is the fee due?" asks when), and of two the longer ("how much is", not "how much").
  const [first] = words.asks
    .flatMap(({ kind, pattern }) => {
      const found = pattern.exec(ask);
      return found ? [{ kind, at: found.index, length: found[0].length }] : [];
    })
    .toSorted((a, b) => a.at - b.at || b.length - a.length);
  const counted = words.counted.exec(ask)?.slice(1).find(Boolean) ?? null;
  const keys = listKeys(question);
  const terms = new Set(listTerms(question.replace(askingWords, "")));
  const isCount = counted !== null && [undefined, "yesno", "money", "number"].includes(first?.kind);
  return {
    question,
    kind: isCount ? "count" : (first?.kind ?? null),
    counted,
    focus: listTerms(words.focus.exec(ask)?.slice(1).find(Boolean) ?? ""),
    terms: [...terms].filter((term) => !keys.some((key) => key.toLowerCase() === term)),
    keys,
    ...readTime(question),
  };
});

export function listKeys(text: string): string[] {
  return [...new Set([...text.matchAll(keyForm)].map(([key]) => key))].filter((key) => key !== "I");
}

function readTime(question: string): Pick<Asked, "upTo" | "year"> {
  const date = readValues(question).values.find((value) => value.kind === "date" && value.readings[0]?.year != null);
  const year = /(?<![\d.,-])((?:19|20)\d\d)(?![\d,-])/.exec(question)?.[1] ?? null;
  const parts = date?.kind === "date" ? date.readings[0] : undefined;
  if (parts?.year != null) return { upTo: parts.year * 10_000 + (parts.month ?? 12) * 100 + (parts.day ?? 31), year };
  return { upTo: year === null ? null : Number(year) * 10_000 + 1231, year };
}

export type Span = {
  text: string;
  value: Value | null;
  typed: number;
  name: string;
  /** Where it stands in what the statement says; null for all of it. */
  at: number | null;
  said: string;
  given: number;
};
type Found = Pick<Span, "text" | "value" | "typed" | "at">;

const freeKinds = new Set([null, "yesno", "place", "cause"]);

export function listSpans(statement: Statement, asked: Asked): Span[] {
  const { cells, said, headings } = statement;
  if (cells.length > 1) return listCells(statement, asked);
  const [entry] = cells;
  const rest = { name: entry?.name ?? "", said, given: 0 };
  if (!entry) {
    const about = asked.kind === "cause" ? (headings.at(-1) ?? "") : `${statement.about} ${said}`;
    return findKind(said, asked, about).map((found) => ({ ...found, ...rest }));
  }
  const parts = freeKinds.has(asked.kind)
    ? []
    : findKind(entry.value, asked, entry.name).filter(({ at }) => at !== null);
  const from = said.length - entry.value.length;
  if (parts.length > 0) return parts.map((part) => ({ ...part, at: (part.at ?? 0) + from, ...rest }));
  if (isGiven(entry.value, asked)) return [];
  return [{ text: entry.value, value: readValues(entry.value).values[0] ?? null, typed: 0, at: null, ...rest }];
}

function findKind(text: string, asked: Asked, about: string): Found[] {
  const whole = (typed: number): Found[] => [{ text: "", value: null, typed, at: null }];
  switch (asked.kind) {
    case null:
      return whole(0);
    case "yesno":
      return [{ text: sayStance(text), value: null, typed: 0, at: null }];
    case "cause":
      return whole(words.cause.test(text) || words.causeHeading.test(about) ? 1 : 0);
    case "place":
      return whole(words.place.test(text) ? 1 : 0);
    case "person": {
      const names = listNames(text, asked);
      return names.length > 0 ? names : whole(words.people.test(text) ? 0.5 : 0);
    }
    case "frequency": {
      const all = [...text.matchAll(words.frequencyValue)];
      if (all.length === 0) return whole(0);
      return all.map(({ 0: found, index }) => ({ text: found.trim(), value: null, typed: 1, at: index }));
    }
    default: {
      const values = listValues(text, asked, about);
      return values.length > 0 ? values : whole(0);
    }
  }
}

function sayStance(said: string): string {
  return /^(yes|no|ya|tidak|네|예|아니요)(?![\p{L}])/iu.exec(said)?.[1]?.toLowerCase() ?? "";
}

const namePattern =
  /(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?\p{Lu}[\p{Ll}'’-]+(?:\s+(?:de|van|von|der|bin|al-)?\s*\p{Lu}[\p{Ll}'’-]+)+|\p{Lu}[\p{Ll}'’-]+/gu;

export function listNames(text: string, { question }: Pick<Asked, "question">): Found[] {
  const { rest } = readValues(text);
  const names = [...text.matchAll(namePattern)].filter(({ 0: name, index }) => {
    const before = text.slice(0, index);
    const isLong = name.includes(" ");
    const isThing = /\bthe\s+$/i.test(before) || (!isLong && /\b(?:at|in|on|near|of|to|from)\s+$/i.test(before));
    const isFirst = index === 0 || /[.!?:]\s*$/.test(before);
    const isWord =
      isFirst &&
      !isLong &&
      !/^\s+(?:is|was|has|had|did|does|may|must|can|will|\p{L}+(?:ed|s))\b/u.test(text.slice(index + name.length));
    const isNew = listTerms(name).length > 0 && !question.toLowerCase().includes(name.toLowerCase());
    return !isWord && !isThing && isNew && rest.includes(name.split(" ").at(-1) ?? "");
  });
  const people = names.filter(({ 0: name }) => name.includes(" "));
  return (people.length > 0 ? people : names)
    .slice(0, 8)
    .map(({ 0: name, index }) => ({ text: name, value: null, typed: 1, at: index }));
}

export function isGiven(value: string, { terms, keys }: Pick<Asked, "terms" | "keys">): boolean {
  const own = listTerms(value);
  const shared = own.filter((term) => terms.includes(term)).length;
  return (own.length > 0 && shared / own.length > 0.5) || keys.includes(value.trim().replaceAll("`", ""));
}

/** The cells of a row that may answer: never one that the question gives itself. */
function listCells({ cells, said }: Statement, asked: Asked): Span[] {
  const given = cells.filter(({ value }) => isGiven(value, asked));
  const open = cells.filter((cell) => cell.value !== "" && !given.includes(cell));
  const others = given.length > 0 ? given : open.map(({ value }) => ({ name: "", value }));
  return open.map((cell) => {
    const own = [cell, ...others.filter((one) => one !== cell)].map(({ name, value }) => `${name} ${value}`).join(" ");
    const value = readValues(cell.value).values[0] ?? null;
    const typed = fitsKind(cell, asked);
    return { text: cell.value, value, typed, name: cell.name, at: null, said: own || said, given: given.length };
  });
}

function fitsKind({ name, value }: { name: string; value: string }, asked: Asked): number {
  if (freeKinds.has(asked.kind)) return 0;
  const isName = /^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.?\s+)?\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)+/u;
  if (asked.kind === "person") return Number(isName.test(value) || /\p{Script=Hangul}{2,4}$/u.test(value));
  if (asked.kind === "frequency") return Number(value.match(words.frequencyValue) !== null);
  const { values } = readValues(value);
  if (values.some((one) => fits(one, value, asked, `${name} `))) return 1;
  return values.some((one) => mayFit(one, asked)) ? 0.5 : 0;
}

const measures: Record<string, readonly string[]> = {
  duration: ["time", "months", "working days", "length"],
  length: ["length", "area"],
  share: ["share", "points"],
  temperature: ["celsius", "fahrenheit", "degrees"],
  weight: ["mass"],
};

/** What kinds of values answer a question; a year is a date too. */
const valueKinds: Record<string, readonly Value["kind"][]> = {
  weekday: ["weekday", "date"],
  time: ["time"],
  month: ["date"],
  date: ["date", "ordinal"],
  when: ["date", "time", "weekday", "ordinal"],
};

/** True when a value is of the kind that a question asks for; `about` are words that say what it is. */
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

function mayFit(value: Value, { kind }: Asked): boolean {
  if (value.kind !== "number") return kind === "weekday" && value.kind === "ordinal";
  return value.measure === null || (kind === "when" && ["time", "months"].includes(value.measure));
}

/** A count is followed by what is counted, has it as its unit, or stands under its name ("Seats: 12"). */
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

function listValues(text: string, asked: Asked, about: string): Found[] {
  const codes = asked.kind === "number" ? [...text.matchAll(codePattern)] : [];
  const spelt = codes.filter(([code]) => /[-/ ]|\.\d{2,}/.test(code.trim()));
  if (spelt.length > 0)
    return spelt.map(({ 0: code, index }) => ({ text: code.trim(), value: null, typed: 1, at: index }));
  const given = readValues(asked.question).values.map((value) => ({ ...value, bound: null }));
  const found = readValues(text).values.filter(
    (value) =>
      !given.some((one) => one.kind === value.kind && isSameValue(one, { ...value, bound: null })) &&
      !words.label.test(text.slice(0, value.at)),
  );
  const fitting = found.filter((value) => fits(value, text, asked, about));
  if (fitting.length > 0) return joinRanges(fitting, text, asked);
  const possible = found.filter((value) => mayFit(value, asked));
  return joinRanges(possible, text, asked).map((span) => ({ ...span, typed: 0.5 }));
}

const rangeMark = /^\s*(?:to|until|till|–|-|—|sampai|hingga|부터|에서|~)\s*$/iu;

/** Two values of one kind that are the ends of a range are one, unless the question asks for its end; "4 to 22 May" begins before its date. */
function joinRanges(values: readonly Value[], text: string, { question }: Asked): Found[] {
  const spans: (Found & { end: number })[] = [];
  const isEnd = words.asksEnd.test(question);
  for (const value of values) {
    const last = spans.at(-1);
    // "19 of 23" tells 19.
    if (last && /^\s*(?:out )?of\s*$/.test(text.slice(last.end, value.at))) continue;
    const end = value.at + value.length;
    const isRange = last?.value?.kind === value.kind && rangeMark.test(text.slice(last.end, value.at));
    const from = isEnd || value.kind !== "date" ? null : /\d{1,2}\s*(?:to|–|-|until)\s*$/.exec(text.slice(0, value.at));
    const at = from?.index ?? value.at;
    if (last && isRange && !isEnd) spans[spans.length - 1] = { ...last, text: text.slice(last.at ?? 0, end), end };
    else
      spans.splice(isRange ? -1 : spans.length, isRange ? 1 : 0, {
        text: text.slice(at, end),
        value,
        typed: 1,
        at,
        end,
      });
  }
  return spans.map((span) => ({ ...span, text: span.text.trim().replace(/[,;]$/, "") }));
}

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
  const owned = places.map(() => new Set<string>());
  const marks = [...text.matchAll(parting)].map(({ index }) => index);
  for (const { index, 0: word } of text.matchAll(/[\p{L}\p{M}\p{N}]+/gu)) {
    const terms = [...termsIn(word)].filter((term) => weights.has(term));
    const next = places.findIndex(({ at }) => at > index);
    if (next === 0) for (const own of owned) for (const term of terms) own.add(term);
    if (terms.length === 0 || next === 0 || places.some(({ at, length }) => index >= at && index < at + length))
      continue;
    const before = next < 0 ? places.length - 1 : next - 1;
    const [from, to] = [(places[before]?.at ?? 0) + (places[before]?.length ?? 0), places[next]?.at ?? text.length];
    const between = marks.filter((mark) => mark >= from && mark < to);
    const isNearer = index - from <= to - index - word.length;
    const isBefore = next < 0 || (between.length > 0 ? !between.some((mark) => mark < index) : isNearer);
    for (const term of terms) owned[isBefore ? before : next]?.add(term);
  }
  const isTelling = (term: string): boolean => new Set(owned.map((own) => own.has(term))).size > 1;
  const sum = (of: (term: string) => boolean): number =>
    [...weights].reduce((total, [term, weight]) => total + (isTelling(term) && of(term) ? weight : 0), 0);
  const whole = sum(() => true);
  return owned.map((own, place) => {
    if (whole === 0) return place === 0 ? 0.5 : 0.4;
    return sum((term) => own.has(term)) / whole;
  });
}
