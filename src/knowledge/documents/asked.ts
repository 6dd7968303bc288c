import { findUnit, currencies, type Value, readValues } from "../../text/values.ts";
import { remember } from "../../text/remember.ts";
import { listTerms } from "../../text/search.ts";
import type { Statement } from "./statements.ts";
import { familyOf, kindOfTerm, words } from "./words.ts";

/** What a question asks for: a kind of thing, words, keys such as "jetty C", and a time. */
export type Asked = {
  question: string;
  /** What kind of thing answers it; null when its words do not say. */
  kind: string | null;
  /** What is counted, where it asks how many. */
  counted: string | null;
  terms: string[];
  /** The thing asked for, where it asks which or what. */
  head: string[];
  /** Letters and numbers that name one of several things. */
  keys: string[];
  /** The last day that it asks about; null when it names no time. */
  upTo: number | null;
  year: string | null;
};

/** Words that only ask. */
const askingWords = /\bhow (?:often|long|soon|old|far|frequently|regularly|many|much)\b/i;

/** Reads a question. */
export const readQuestion = remember(500, (question: string): Asked => {
  // What stands first in the question asks: "When is the fee due?" asks when.
  const [first] = words.asks
    .map(({ kind: name, pattern }) => ({ name, at: question.trim().search(pattern) }))
    .filter(({ at }) => at >= 0)
    .toSorted((a, b) => a.at - b.at);
  const kind = first?.name ?? null;
  const counted = words.counted.exec(question)?.slice(1).find(Boolean) ?? null;
  const keys = [...question.matchAll(/(?<=\p{L}{2,}\s)([A-Z]\d*|\d{1,3}[A-Z]?)(?=[\s?,.;:]|$)/gu)]
    .map(([key]) => key)
    .filter((key) => key !== "I");
  return {
    question,
    kind: isCount(kind, counted) ? "count" : kind,
    counted,
    head: listTerms(/\b(?:which|what)\s+((?:\p{L}+\s+)?\p{L}+)/iu.exec(question)?.[1] ?? ""),
    terms: [...new Set(listTerms(question.replace(askingWords, "")))].filter(
      (term) => !keys.some((key) => key.toLowerCase() === term),
    ),
    keys,
    ...readTime(question),
  };
});

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

/** What of a statement answers a question by itself, and how far it is from the asked words. */
export type Found = { text: string; value: Value | null; isLoose?: true };

/** Something that may be what is asked for, though nothing in it says so. */
const loose: Found = { text: "", value: null, isLoose: true };

const namePattern =
  /(?:(?:Dr|Mr|Mrs|Ms|Prof)\.?\s+)?\p{Lu}[\p{Ll}'’-]+(?:\s+(?:de|van|von|der|bin|al-)?\s*\p{Lu}[\p{Ll}'’-]+)+|\p{Lu}[\p{Ll}'’-]+/gu;

/** Finds what of a statement is of the asked kind; null when nothing is, though the kind is one that can be told. */
export function findAsked(statement: Statement, asked: Asked): Found | null {
  if (hasOtherUnderName(statement, asked)) return null;
  const cell = findCell(statement, asked);
  if (cell) return cell;
  const { said } = statement;
  switch (asked.kind) {
    case null:
      return { text: "", value: null };
    case "yesno":
      return { text: sayStance(said), value: null };
    case "cause":
      if (words.cause.test(said) || words.causeHeading.test(statement.headings.at(-1) ?? ""))
        return { text: "", value: null };
      return countNews(statement, asked) > 1 ? loose : null;
    case "place":
      if (words.place.test(said)) return { text: "", value: null };
      return /\p{Lu}/u.test(said.slice(1)) ? loose : null;
    case "person": {
      const name = findName(said, asked);
      if (name !== null) return { text: name, value: null };
      return words.people.test(said) && countNews(statement, asked) > 0 ? loose : null;
    }
    case "frequency": {
      const found = words.frequencyValue.exec(said)?.[0];
      return found === undefined ? null : { text: found.trim(), value: null };
    }
    default:
      return findValue(said, statement, asked) ?? findInHeading(statement, asked);
  }
}

/** The asked version, day or place may stand in the heading above what the question is about. */
function findInHeading({ headings }: Statement, asked: Asked): Found | null {
  const last = headings.at(-1);
  const mayStand =
    asked.kind === "number" || asked.kind === "date" || asked.kind === "when" || asked.kind === "weekday";
  return last === undefined || headings.length < 2 || !mayStand ? null : findValue(last, null, asked);
}

function sayStance(said: string): string {
  return /^(yes|no|ya|tidak|네|예|아니요)(?![\p{L}])/iu.exec(said)?.[1]?.toLowerCase() ?? "";
}

/** Counts the words of a statement, numbers aside, that a question does not have. */
function countNews({ said }: Statement, { terms }: Asked): number {
  return new Set(listTerms(said).filter((term) => !terms.includes(term) && !/^\p{N}/u.test(term))).size;
}

/** The name in a text that stands nearest to the asked words and is not in the question. */
export function findName(text: string, { question, terms }: Asked): string | null {
  const { rest } = readValues(text);
  const places = [...text.matchAll(/[\p{L}\p{M}]+/gu)]
    .filter(([word]) => listTerms(word).some((term) => terms.includes(term) || terms.some((one) => isAkin(one, term))))
    .map(({ index }) => index);
  const names = [...text.matchAll(namePattern)].filter(({ 0: name, index }) => {
    const isFirst = index === 0 || /[.!?:]\s*$/.test(text.slice(0, index));
    const before = text.slice(0, index);
    const isThing =
      /\bthe\s+$/i.test(before) || (!name.includes(" ") && /\b(?:at|in|on|near|of|to|from)\s+$/i.test(before));
    const isWord =
      isFirst &&
      !name.includes(" ") &&
      !/^\s+(?:is|was|has|had|did|does|may|must|can|will|\p{L}+(?:ed|s))\b/u.test(text.slice(index + name.length));
    return (
      !isWord &&
      !isThing &&
      rest.includes(name.split(" ").at(-1) ?? "") &&
      listTerms(name).length > 0 &&
      !question.toLowerCase().includes(name.toLowerCase())
    );
  });
  const away = ({ index, 0: name }: RegExpExecArray): number =>
    Math.min(
      ...places.map((place) => (place < index ? place + 0 - index : index + name.length - place)).map(Math.abs),
      text.length,
    );
  const people = names.filter(({ 0: name }) => name.includes(" "));
  return (people.length > 0 ? people : names).toSorted((a, b) => away(a) - away(b))[0]?.[0] ?? null;
}

function isAkin(a: string, b: string): boolean {
  return a === b || familyOf(a) === familyOf(b);
}

/** The cell of a row or entry that answers: under the column that the question names, or of the asked kind; never one that the question gives itself. */
function findCell({ cells, kind }: Statement, asked: Asked): Found | null {
  if (cells.length === 0 || (cells.length === 1 && kind !== "entry" && kind !== "item")) return null;
  const isGiven = ({ value }: { value: string }): boolean => {
    const own = listTerms(value);
    return (own.length > 0 && own.every((term) => asked.terms.includes(term))) || asked.keys.includes(value.trim());
  };
  const open = cells.filter((cell) => cell.value !== "" && !isGiven(cell));
  const named = open
    .map((cell) => ({
      cell,
      fit:
        listTerms(cell.name).filter((term) => asked.terms.some((one) => isAkin(one, term))).length /
          Math.max(1, listTerms(cell.name).length) +
        (fitsKind(cell, asked) ? 0.6 : 0),
    }))
    .filter(
      ({ fit, cell }) => fit > 0.5 && (isFree(asked) || fitsKind(cell, asked) || (asked.kind === "yesno" && fit > 0)),
    )
    .toSorted((a, b) => b.fit - a.fit)[0];
  if (!named) return null;
  const { value } = named.cell;
  const inner = cells.length === 1 && asked.kind !== null && !isFree(asked) ? findValue(value, null, asked) : null;
  return inner && asked.kind !== "when" ? inner : { text: value, value: readValues(value).values[0] ?? null };
}

/** True for a row whose column the question names in full, and that says something of another kind there. */
function hasOtherUnderName({ cells, kind }: Statement, asked: Asked): boolean {
  if (kind !== "row" || isFree(asked)) return false;
  return cells.some((cell) => {
    const name = listTerms(cell.name);
    return name.length > 1 && name.every((term) => asked.terms.includes(term)) && !fitsKind(cell, asked);
  });
}

function isFree({ kind }: Asked): boolean {
  return kind === null || kind === "place" || kind === "yesno" || kind === "cause";
}

function fitsKind({ name, value }: { name: string; value: string }, asked: Asked): boolean {
  const { kind } = asked;
  if (kind === "person")
    return (
      /^(?:(?:Dr|Prof|Mr|Mrs|Ms)\.?\s+)?\p{Lu}[\p{L}'’-]+(?:\s+\p{Lu}[\p{L}'’-]+)+/u.test(value) ||
      /\p{Script=Hangul}{2,4}$/u.test(value)
    );
  if (kind === "frequency") return words.frequencyValue.test(value);
  if (isFree(asked)) return false;
  return readValues(value).values.some((one) => fits(one, value, asked, `${name} `));
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
function fits(value: Value, text: string, { kind, counted }: Asked, about = ""): boolean {
  const [before, after] = [text.slice(0, value.at), text.slice(value.at + value.length)];
  const measure = value.kind === "number" ? value.measure : undefined;
  const isYear = measure === null && /^(?:1[5-9]|20)\d\d$/.test(text.slice(value.at, value.at + value.length).trim());
  if (kind !== null && measures[kind]) return measures[kind].includes(measure ?? "");
  switch (kind) {
    case "weekday":
    case "time":
      return value.kind === kind;
    case "month":
      return value.kind === "date";
    case "date":
      return value.kind === "date" || isYear || isDistance(value, after);
    case "when":
      return ["date", "time", "weekday"].includes(value.kind) || isYear || isDistance(value, after);
    case "size":
      return typeof measure === "string" && !currencies.has(measure);
    case "age":
      return measure === null || measure === "months";
    case "money":
      if (measure === null) return listTerms(about).some((term) => kindOfTerm(term) === "~price");
      return measure !== undefined && (currencies.has(measure) || measure === "share");
    case "count":
      return isCountOf(value, before, after, counted ?? "", about);
    default:
      return value.kind === "number" || value.kind === "ordinal";
  }
}

/** A stretch of time that is told from some other moment: "six months after the end". */
function isDistance(value: Value, after: string): boolean {
  const isStretch = value.kind === "number" && ["time", "months", "working days"].includes(value.measure ?? "");
  return isStretch && /^\s*(?:after|before|later|earlier|ago|setelah|sebelum|후|전|뒤|이내)/iu.test(after);
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
  const isNamed = nouns.some((term) => [...next, ...name].some((one) => isAkin(one, term)));
  return (
    value.measure === null &&
    (isNamed ||
      (nouns.some((term) => previous.includes(term)) &&
        /(?:to|of|is|are|was|were|:)\s*(?:about |only |at most |up to )?$/i.test(before)) ||
      /\p{Script=Hangul}/u.test(counted))
  );
}

/** Codes such as 4-112 or 7.303, which are read as they stand. */
const codePattern = /(?<![\p{L}\p{N}])(?=[\d+(])[\d+][\d .()/-]*\d(?![\p{L}\p{N}])/gu;

/** Finds the value in a text that a question asks for: of the asked kind, not in the question itself, and nearest to the asked words. */
function findValue(text: string, statement: Statement | null, asked: Asked): Found | null {
  const given = readValues(asked.question).values.map((value) =>
    JSON.stringify({ ...value, at: 0, length: 0, bound: null }),
  );
  const places = [...text.matchAll(/[\p{L}\p{M}]+/gu)]
    .filter(([word]) =>
      listTerms(word).some((term) => kindOfTerm(term) !== "~price" && asked.terms.some((one) => isAkin(one, term))),
    )
    .map(({ index, 0: word }) => ({ from: index, to: index + word.length }));
  const away = (at: number, length: number): number =>
    Math.min(text.length, ...places.map(({ from, to }) => (from < at ? at - to : (from - at - length) * 1.3)));
  if (asked.kind === "number") {
    const codes = [...text.matchAll(codePattern)].map(({ index, 0: code }) => ({
      text: code.trim(),
      away: away(index, code.length),
    }));
    const [code] = codes.toSorted((a, b) => a.away - b.away);
    if (code && /[-/ ]|\.\d{2,}/.test(code.text)) return { text: code.text, value: null };
  }
  const about = statement ? `${statement.about} ${statement.said}` : "price";
  const found = readValues(text)
    .values.filter((value) => !given.includes(JSON.stringify({ ...value, at: 0, length: 0, bound: null })))
    .filter((value) => fits(value, text, asked, about))
    .toSorted((a, b) => away(a.at, a.length) - away(b.at, b.length))[0];
  return found ? { text: text.slice(found.at, found.at + found.length).trim(), value: found } : null;
}
