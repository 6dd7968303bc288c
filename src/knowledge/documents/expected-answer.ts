import { listTerms } from "./terms.ts";
import { readValues } from "./values/read-values.ts";
import { findUnit } from "./values/units.ts";
import type { Value } from "./values/value.ts";

/** What a question asks for: values of a kind, or something told by its words. */
export type Expectation =
  | { kind: "value"; fits(value: Value, after: string): boolean }
  | { kind: "cause" | "person" | "place" };

const is =
  (...kinds: Value["kind"][]) =>
  (value: Value): boolean =>
    kinds.includes(value.kind);
const currencies = ["USD", "EUR", "GBP", "JPY", "KRW", "IDR", "CHF", "INR", "CNY"];
const measured =
  (...measures: string[]) =>
  (value: Value): boolean =>
    value.kind === "number" && value.measure !== null && measures.includes(value.measure);

/** What question words ask for, the most particular first. */
const askedValues: [RegExp, (value: Value, after: string) => boolean][] = [
  [/\b(?:which|what) (?:week)?days?\b|\bhari apa\b|무슨 요일|어느 요일/i, is("weekday")],
  [/\b(?:which|what) months?\b|\bbulan apa\b|몇 월/i, is("date")],
  [/\b(?:what time|at what hour)\b|\b(?:pukul|jam) berapa\b|몇 시(?!간)/i, is("time")],
  [
    /\b(?:what|which) (?:year|date)\b|\btanggal berapa\b|\btahun berapa\b|몇 년도|며칟날/i,
    (value) => value.kind === "date" || isYear(value),
  ],
  [/\bwhen\b|\bkapan\b|언제/i, (value) => is("date", "time", "weekday")(value) || isYear(value)],
  [/\bhow long\b|\bberapa lama\b|얼마 동안|며칠|몇 일/i, measured("time", "months", "length")],
  [/\bhow often\b|\bseberapa sering\b/i, is("number", "weekday")],
  [/\bhow (?:far|high|tall|wide|deep)\b|얼마나 (?:멀|높|깊)/i, measured("length")],
  [/\bhow old\b|\b(?:what|which) age\b|\bumur berapa\b|몇 살/i, is("number")],
  [/\b(?:percentage|what share)\b|\bberapa persen\b|몇 (?:퍼센트|%)/i, measured("share")],
  [
    /\bcosts?\b|\bprice\b|\bfee\b|\bhow much (?:money|is|are|does)\b|\bberapa (?:harga|biaya|ongkos|tarif)|얼마(?!나)/i,
    measured(...currencies),
  ],
  [/\bhow much\b|\bwhich sum\b|\bat which level\b/i, (value) => value.kind === "number" && value.measure !== "share"],
];

/** Finds what a question asks for; null when its words do not say. */
export function findExpectation(question: string): Expectation | null {
  const counted = /\bhow many\s+(\p{L}+)|\bberapa\s+(\p{L}+)|몇\s*(\p{L}+)/iu.exec(question);
  const noun = counted?.slice(1).find(Boolean);
  const asked = askedValues.find(([pattern]) => pattern.test(question));
  if (asked) return { kind: "value", fits: asked[1] };
  if (noun !== undefined) return { kind: "value", fits: (value, after) => isCountOf(value, after, noun) };
  if (/\b(?:why|what (?:caused|causes|led)|cause of|reason|mengapa|kenapa)\b|왜/i.test(question))
    return { kind: "cause" };
  if (/\b(?:who|whom|whose|siapa)\b|누구|누가/i.test(question)) return { kind: "person" };
  return /\b(?:where|di mana)\b|어디/i.test(question) ? { kind: "place" } : null;
}

/** How a sentence looks that tells a cause, a person, a place. */
const told = {
  cause:
    /\b(?:because|caus\w+|due to|owing to|led to|result\w* (?:in|from)|blam\w+|responsible|so that|therefore|in order to|karena|sebab|akibat)\b|때문|으로 인해/i,
  person: /(?<=\S\s)\p{Lu}\p{Ll}+|씨|님/u,
  place: /\b(?:in|at|on|near|from|to|di)\s+(?:the\s+)?\p{Lu}\p{Ll}+|에서|에 있/u,
};

/** True when a sentence holds the kind of thing that the question asks for: an amount, a time, a cause, a person, a place. */
export function isExpected(sentence: string, question: string): boolean {
  const expectation = findExpectation(question);
  if (expectation === null) return false;
  return expectation.kind === "value"
    ? findAskedValue(sentence, question) !== null
    : told[expectation.kind].test(sentence);
}

/** Finds the value in a sentence that a question asks for: of the kind asked for, not in the question itself, and nearest to the asked words; null when there is none. */
export function findAskedValue(sentence: string, question: string): { value: Value; text: string } | null {
  const expectation = findExpectation(question);
  const fits = expectation?.kind === "value" ? expectation.fits : is("number");
  const asked = new Set(listTerms(question));
  const given = readValues(question).values.map((value) => JSON.stringify({ ...value, at: 0, length: 0 }));
  const places = [...sentence.matchAll(/[\p{L}\p{M}]+/gu)]
    .filter(([word]) => listTerms(word).some((term) => asked.has(term)))
    .map(({ index }) => index);
  const away = ({ at, length }: Value): number =>
    Math.min(sentence.length, ...places.map((place) => (place < at ? at - place : place - at - length)));
  const found = readValues(sentence)
    .values.filter((value) => !given.includes(JSON.stringify({ ...value, at: 0, length: 0 })))
    .filter((value) => fits(value, sentence.slice(value.at + value.length)))
    .toSorted((a, b) => away(a) - away(b))[0];
  return found ? { value: found, text: sentence.slice(found.at, found.at + found.length).trim() } : null;
}

function isYear(value: Value): boolean {
  const [year = 0] = value.kind === "number" && value.measure === null ? value.readings : [];
  return Number.isInteger(year) && year >= 1000 && year <= 2100;
}

/** A count is followed by what is counted, or has it as its unit. */
function isCountOf(value: Value, after: string, noun: string): boolean {
  if (value.kind !== "number") return false;
  const unit = findUnit(noun);
  if (unit) return value.measure === unit.measure && value.factor === unit.factor;
  const next = listTerms(after.split(/[,.;:]/)[0] ?? "").slice(0, 2);
  return value.measure === null && listTerms(noun).some((term) => next.includes(term));
}
