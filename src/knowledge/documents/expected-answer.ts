import { irregularForms } from "../../text/irregular-english.ts";
import { isCauseHeading } from "./leaning.ts";
import type { Sentence } from "./sentences.ts";
import { listTerms } from "./terms.ts";
import { readValues } from "./values/read-values.ts";
import { findUnit } from "./values/units.ts";
import type { Value } from "./values/value.ts";

/** What a question asks for: values of a kind, or something told by its words. */
export type Expectation =
  | { kind: "value"; fits(value: Value, around: Around): boolean }
  | { kind: "cause" | "person" | "place" };

/** What stands before a value in its sentence, and after it. */
type Around = { before: string; after: string };

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
const askedValues: [RegExp, (value: Value, around: Around) => boolean][] = [
  [/\b(?:which|what) (?:week)?days?\b|\bhari apa\b|무슨 요일|어느 요일/i, is("weekday")],
  [/\b(?:which|what) months?\b|\bbulan apa\b|몇 월/i, is("date")],
  [/\b(?:what time|at what hour)\b|\b(?:pukul|jam) berapa\b|몇 시(?!간)/i, is("time")],
  [
    /\b(?:what|which) (?:year|date)\b|\btanggal berapa\b|\btahun berapa\b|몇 년도|며칟날/i,
    (value) => value.kind === "date" || isYear(value),
  ],
  [
    /\bwhen\b|\bkapan\b|언제/i,
    (value, { after }) => is("date", "time", "weekday")(value) || isYear(value) || isDistance(value, after),
  ],
  [/\bhow long\b|\bberapa lama\b|얼마 동안|며칠|몇 일/i, measured("time", "months", "length")],
  [/\bhow often\b|\bseberapa sering\b/i, is("number", "weekday")],
  [/\bhow (?:far|high|tall|wide|deep)\b|얼마나 (?:멀|높|깊)/i, measured("length")],
  [/\bhow old\b|\b(?:what|which) age\b|\bumur berapa\b|몇 살/i, is("number")],
  [/\b(?:percentage|what share)\b|\bberapa persen\b|몇 (?:퍼센트|%)/i, measured("share")],
  [
    /\bcosts?\b|\bprice\b|\bfee\b|\bhow much (?:money|is|are|does)\b|\bberapa (?:harga|biaya|ongkos|tarif)|얼마(?!나)/i,
    measured(...currencies),
  ],
  [
    /\b(?:which|what) (?:version|edition|floor|chapter|section|page|article|platform|gate)\b|\b(?:versi|lantai|halaman|bab|pasal) berapa\b/i,
    is("number"),
  ],
  [/\bhow much\b|\bwhich sum\b|\bat which level\b/i, (value) => value.kind === "number" && value.measure !== "share"],
];

/** Finds what a question asks for; null when its words do not say. */
export function findExpectation(question: string): Expectation | null {
  const counted = /\bhow many\s+(\p{L}+(?:\s+\p{L}+)?)|\bberapa\s+(\p{L}+)|몇\s*(\p{L}+)/iu.exec(question);
  const nouns = counted?.slice(1).find(Boolean);
  const asked = askedValues.find(([pattern]) => pattern.test(question));
  if (asked) return { kind: "value", fits: asked[1] };
  if (nouns !== undefined) return { kind: "value", fits: (value, around) => isCountOf(value, around, nouns) };
  if (/\b(?:why|what (?:caused|causes|led)|cause of|reason|mengapa|kenapa)\b|왜/i.test(question))
    return { kind: "cause" };
  if (/^(?:\p{L}+\s)?(?:who|whom|whose)\b|\bsiapa\b|누구|누가/iu.test(question.trim())) return { kind: "person" };
  return /\b(?:where|di mana)\b|어디/i.test(question) ? { kind: "place" } : null;
}

/** Whoever can do something without being named. */
const people =
  `person people man woman child parent student pupil teacher doctor nurse patient customer client guest visitor member
  employee staff worker apprentice engineer manager director head lead chair supervisor assistant officer secretary inspector judge
  court police department team office council committee board authority ministry government company employer owner landlord
  tenant buyer seller neighbour volunteer driver author operator resident citizen union
  murid siswa guru kepala sekolah orang wali petugas pemilik penyewa dinas kementerian warga panitia
  직원 담당 관리 선생 학생 팀 부서 회사 영양사 사서`.split(/\s+/);
const hangul = /\p{Script=Hangul}/u;
const written = people.map((word) => (hangul.test(word) ? word : String.raw`\b${word}(?:e?s)?\b`)).join("|");

/** How a sentence looks that tells a cause, a person, a place. */
const told = {
  cause:
    /\b(?:because|caus\w+|due to|owing to|led to|result\w* (?:in|from)|blam\w+|responsible|so that|therefore|in order to|karena|sebab|akibat)\b|때문|으로 인해/i,
  person: new RegExp(String.raw`(?<=\S\s)\p{Lu}\p{Ll}+|씨|님|${written}`, "u"),
  place: /\b(?:in|at|on|near|from|to|di)\s+(?:the\s+)?\p{Lu}\p{Ll}+|에서|에 있/u,
};

/** True when a sentence holds the kind of thing that the question asks for: an amount, a time, a cause, a person, a place. */
export function isExpected({ said, topic }: Pick<Sentence, "said" | "topic">, question: string): boolean {
  const expectation = findExpectation(question);
  if (expectation === null) return false;
  if (expectation.kind === "value") return findAskedValue(said, question) !== null;
  if (expectation.kind === "person") return namesSomebody(said);
  return told[expectation.kind].test(said) || (expectation.kind === "cause" && isCauseHeading(topic));
}

/** A name, or a word for people; months and days are no names, and a first word is one only if it does something. */
function namesSomebody(said: string): boolean {
  const { rest } = readValues(said);
  if (told.person.test(rest)) return true;
  const [, first = "", next = ""] = /^\s*(\p{Lu}\p{Ll}+)\s+(\p{Ll}+)/u.exec(rest) ?? [];
  return listTerms(first).length > 0 && (doing.test(next) || irregularForms.has(next));
}

const doing = /^(?:is|was|has|had|did|does|may|must|can|could|will|would|\p{L}+(?:ed|[^s]s))$/u;

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
    .filter((value) =>
      fits(value, { before: sentence.slice(0, value.at), after: sentence.slice(value.at + value.length) }),
    )
    .toSorted((a, b) => away(a) - away(b))[0];
  return found ? { value: found, text: sentence.slice(found.at, found.at + found.length).trim() } : null;
}

/** A stretch of time that is told from some other moment: "six months after the end". */
function isDistance(value: Value, after: string): boolean {
  return (
    measured("time", "months")(value) && /^\s*(?:after|before|later|earlier|ago|setelah|sebelum|후|전|뒤)/iu.test(after)
  );
}

function isYear(value: Value): boolean {
  const [year = 0] = value.kind === "number" && value.measure === null ? value.readings : [];
  return Number.isInteger(year) && year >= 1000 && year <= 2100;
}

/** A count is followed by what is counted, has it as its unit, or stands under its name ("Seats: 12"). */
function isCountOf(value: Value, { before, after }: Around, nouns: string): boolean {
  if (value.kind !== "number") return false;
  const [noun = ""] = nouns.split(/\s+/);
  const unit = findUnit(nouns) ?? findUnit(noun);
  if (unit) return value.measure === unit.measure && value.factor === unit.factor;
  const next = listTerms(after.split(/[,.;:]/)[0] ?? "").slice(0, 2);
  const name = listTerms(/([^,.;:]+):\s*$/.exec(before)?.[1] ?? "");
  return value.measure === null && listTerms(noun).some((term) => next.includes(term) || name.includes(term));
}
