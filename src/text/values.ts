import { readFileSync } from "node:fs";
import { escapePattern } from "./format.ts";

/** A value in a text that must match exactly, with its position. */
export type Value = { at: number; length: number; bound: Bound } & (
  | { kind: "number"; readings: number[]; measure: string | null; factor: number }
  | { kind: "ordinal"; place: number }
  | { kind: "date"; readings: DateParts[] }
  | { kind: "time"; minutes: number }
  | { kind: "weekday"; day: number }
);

/** The bound a value expresses (at least, more than, by a day, about); null for the value itself. */
export type Bound = ">=" | ">" | "<=" | "<" | "by" | "~" | null;

type DateParts = { year: number | null; month: number | null; day: number | null };

type Amount = Extract<Value, { kind: "number" }>;
type Found = Value extends infer V ? (V extends Value ? Omit<V, "at" | "length" | "bound"> : never) : never;
/** `cues` are words of which a text that is not Korean needs one to match; without them it needs a digit, for `joined` two. */
type Form = { pattern(): RegExp; cues?: ReadonlySet<string>; read(groups: string[], before: string): Found | null };

type Words = {
  units: [measure: string, factor: number, names: string][];
  currencies: string[];
  currencyBefore: string;
  numbers: Record<string, number>;
  tens: Record<string, number>;
  scales: Record<string, number>;
  dozens: Record<string, number>;
  shares: Record<string, number>;
  ordinals: Record<string, number>;
  daySpans: Record<string, number>;
  months: Record<string, number>;
  weekdays: string[][];
  noons: Record<string, number>;
  bounds: Record<NonNullable<Bound>, { before: string; after: string }>;
};
const words = JSON.parse(readFileSync(new URL("../../data/text/values.json", import.meta.url), "utf8")) as Words;

/** Number words: "three", "tiga"; and those of places in an order: "third", "ketiga". */
export const { numbers: countWords, ordinals: rankWords } = words;

export const currencies: ReadonlySet<string> = new Set(words.currencies);

export type Unit = { measure: string; factor: number };
const units = new Map(
  words.units.flatMap(([measure, factor, names]) =>
    names.split(" ").map((name) => [name.replaceAll("_", " "), { measure, factor }] as const),
  ),
);

export function findUnit(spelling: string): Unit | null {
  return units.get(spelling.toLowerCase().replace(/\.$/, "").replaceAll(/\s+/g, " ").trim()) ?? null;
}

const isHangul = (text: string): boolean => /\p{Script=Hangul}/u.test(text);

const oneOf = (names: Iterable<string>): string =>
  [...names]
    .toSorted((a, b) => b.length - a.length)
    .map(escapePattern)
    .join("|");
const cuesOf = (names: readonly string[]): Set<string> =>
  new Set(names.map((name) => /\p{L}*$/u.exec(name)?.[0] ?? ""));
const notLetter = String.raw`(?![\p{L}])`;
const start = String.raw`(?<![\p{L}\p{N}])`;

/** Units after numbers; those in Hangul may have endings. */
const unitAfter = [...units.keys()]
  .toSorted((a, b) => b.length - a.length)
  .map((name) => escapePattern(name).replaceAll(" ", String.raw`\s`) + unitEnd(name))
  .join("|");
function unitEnd(name: string): string {
  if (isHangul(name)) return "(?![요월])";
  return /\p{L}$/u.test(name) ? notLetter : "";
}
const unitBefore = String.raw`[$€£¥₩₹]|(?<![\p{L}])(?:${words.currencyBefore.replaceAll(" ", "|")})\.?`;
const scaleNames = Object.keys(words.scales);
const scaleAfter = String.raw`(?:${scaleNames.filter((name) => !isHangul(name)).join("|")}|hundred|ratus)${notLetter}|[천만억]`;
const amount = String.raw`(${unitBefore})?\s?((?:negative |minus |[-−+])?\d(?:[\d.,']*\d)?(?:[eE][-+]?\d{1,3})?)(?:\s?(${scaleAfter}))?(?:[-\s]?(${unitAfter}))?`;
const month = oneOf(Object.keys(words.months));
const dayEnd = String.raw`(?![\p{L}\p{N}])`;

const counts = [...Object.keys(words.numbers), ...Object.keys(words.tens), ...scaleNames.filter((w) => w.length > 1)];
const latin = oneOf(counts.filter((word) => !isHangul(word)));
const hangul = oneOf(counts.filter(isHangul));
const numberWords = String.raw`${start}(?:(?:${latin})(?:(?:[\s-]+|\s+and\s+)(?:${latin})${notLetter})*${notLetter}|(?:${hangul})(?:\s?(?:${hangul}))?(?=\s|$))`;

const monthCues = cuesOf(Object.keys(words.months));
const korean: ReadonlySet<string> = new Set();
const joined: ReadonlySet<string> = new Set();

/** Forms of values, fullest first: earlier matches take the place of later ones. */
const forms: Form[] = [
  dateForm(
    String.raw`(?<![\p{L}\p{N}.,])(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})${dayEnd}`,
    (y, m, d) => [date(y, m, d)],
    joined,
  ),
  dateForm(
    String.raw`(?<![\p{L}\p{N}.,])(\d{1,2})[-/.](\d{1,2})[-/.](\d{4})${dayEnd}`,
    (a, b, y) => [date(y, b, a), date(y, a, b)].filter(isPossible),
    joined,
  ),
  dateForm(String.raw`(\d{4})\s*년\s*(\d{1,2})\s*월\s*(?:(\d{1,2})\s*일)?`, (y, m, d) => [date(y, m, d)], korean),
  dateForm(String.raw`(?<!\d)(\d{1,2})\s*월\s*(\d{1,2})\s*일`, (m, d) => [date("", m, d)], korean),
  dateForm(
    String.raw`(?<![\p{L}\p{N}.,])(\d{1,2})(?:st|nd|rd|th)?(?:\s+of)?\s+(${month})\.?,?(?:\s+(\d{4}))?${dayEnd}`,
    (d, m, y) => [date(y, m, d)],
    monthCues,
  ),
  dateForm(
    String.raw`(?<![\p{L}])(${month})\.?\s+(\d{1,2})(?:st|nd|rd|th)?(?:,?\s+(\d{4}))?${dayEnd}`,
    (m, d, y) => [date(y, m, d)],
    monthCues,
  ),
  dateForm(
    String.raw`(?<![\p{L}])(?:end|last day) of (${month})\.?\s+(\d{4})${dayEnd}`,
    (m, y) => [date(y, m, String(new Date(Number(y), words.months[m.toLowerCase()] ?? 1, 0).getDate()))],
    monthCues,
  ),
  dateForm(String.raw`(?<![\p{L}])(${month})\.?\s+(\d{4})${dayEnd}`, (m, y) => [date(y, m, "")], monthCues),
  timeForm(
    String.raw`(?<![\p{N}.,])(\d{1,2})(?:[:.](\d{2}))?\s*([ap])\.?m\.?${notLetter}`,
    (h, m, half) => clock(Number(h) % 12, m, half.toLowerCase() === "p"),
    new Set(["a", "p", "am", "pm"]),
  ),
  timeForm(
    String.raw`(오전|오후|저녁|아침|밤)\s*(\d{1,2})\s*시(?!간)(?:\s*(\d{1,2})\s*분)?`,
    (half, h, m) => clock(Number(h) % 12, m, half !== "오전" && half !== "아침"),
    korean,
  ),
  timeForm(String.raw`(?<!\d)(\d{1,2})\s*시(?!간)(?:\s*(\d{1,2})\s*분)?`, (h, m) => clock(Number(h), m, false), korean),
  timeForm(
    String.raw`(?<![\p{L}])(?:pukul|jam)\s+(\d{1,2})(?:[:.](\d{2}))?(?:\s+(pagi|siang|sore|malam))?${dayEnd}`,
    (h, m, part) => {
      const isLate = part === "sore" || part === "malam" || (part === "siang" && Number(h) !== 11);
      return clock(Number(h) % (part === "" ? 24 : 12), m, isLate);
    },
    new Set(["pukul", "jam"]),
  ),
  timeForm(
    String.raw`${start}(?<!\bthe )(half past )?(\p{L}+|\d{1,2})((?: o'clock)? (?:in the (?:morning|afternoon|evening)|at night))?${notLetter}`,
    (half, h, part) => {
      const hour = words.numbers[h.toLowerCase()] ?? Number(h);
      if (Number.isNaN(hour) || (half === "" && part === "")) return null;
      const isLate = /afternoon|evening/.test(part) || (/night/.test(part) && hour >= 6 && hour < 12);
      return clock(hour % 12, half === "" ? "" : "30", isLate);
    },
    cuesOf(["half past", "morning", "afternoon", "evening", "night"]),
  ),
  ...[
    String.raw`(?<![\p{N}.,:])([01]?\d|2[0-4]):([0-5]\d)(?![\p{N}:])`,
    String.raw`(?<![\p{N}.,])([01]?\d|2[0-4])\.([0-5]\d)(?=\s*[-–]\s*\d{1,2}\.\d\d(?!\d))`,
    String.raw`(?<=\u0000\s*[-–]\s*)([01]?\d|2[0-4])\.([0-5]\d)(?!\d)`,
  ].map((pattern) => timeForm(pattern, (h, m) => clock(Number(h), m, false), joined)),
  timeForm(
    String.raw`(?<![\p{L}])(${oneOf(Object.keys(words.noons))})${notLetter}`,
    (name) => words.noons[name.toLowerCase()] ?? null,
    cuesOf(Object.keys(words.noons)),
  ),
  {
    pattern: find(String.raw`${start}(?:hari )?(${oneOf(words.weekdays.flat())})s?${notLetter}`),
    cues: cuesOf(words.weekdays.flat().flatMap((name) => [name, `${name}s`])),
    read: ([, name = ""]) => ({
      kind: "weekday",
      day: words.weekdays.findIndex((day) => day.includes(name.toLowerCase())),
    }),
  },
  {
    // "may" and "march" are words too, so a month alone needs its capital letter and no verb after it.
    pattern: find(
      String.raw`(?<![\p{L}])(${Object.keys(words.months)
        .filter((name) => name.length > 3)
        .concat("may", "mei")
        .map((name) => `${name[0]?.toUpperCase()}${name.slice(1)}`)
        .join("|")})(?![\p{L}])(?!\s+(?:not|be|I|he|she|we|they|it)\b)`,
      "gu",
    ),
    cues: monthCues,
    read: ([, name = ""]) => ({ kind: "date", readings: [date("", name, "")] }),
  },
  {
    pattern: find(String.raw`${start}(\d+)(?:st|nd|rd|th)${notLetter}|제?(\d+)(?:번째|위)|\bke-(\d+)`),
    read: (groups) => ({ kind: "ordinal", place: Number(groups.slice(1).find(Boolean)) }),
  },
  {
    pattern: find(String.raw`(${numberWords}|${start}\d+) and a half (${unitAfter})`),
    cues: cuesOf(["half"]),
    read: ([, many = "", unit = ""]) => quantity([readCount(many) + 0.5], findUnit(unit)),
  },
  {
    pattern: find(String.raw`${start}an? (${unitAfter}) and a (half|quarter)${notLetter}`),
    cues: cuesOf(["half", "quarter"]),
    read: ([, unit = "", part = ""]) => quantity([part === "half" ? 1.5 : 1.25], findUnit(unit)),
  },
  {
    pattern: find(
      String.raw`(?<![\p{L}])(${oneOf(Object.keys(words.shares))})${notLetter}(?:\s+(?:of\s+)?(?:an?\s+)?(${unitAfter}))?`,
    ),
    cues: cuesOf(Object.keys(words.shares)),
    read: ([, word = "", unit = ""]) =>
      quantity([words.shares[word.toLowerCase()] ?? 0], findUnit(unit) ?? { measure: "share", factor: 1 }),
  },
  {
    pattern: find(String.raw`(?<![\p{L}])(${oneOf(Object.keys(words.ordinals))})${notLetter}`),
    cues: cuesOf(Object.keys(words.ordinals)),
    read: ([, word = ""]) => ({ kind: "ordinal", place: words.ordinals[word.toLowerCase()] ?? 0 }),
  },
  { pattern: find(String.raw`(?<![\p{L}\p{N}])${amount}`), read: readAmount },
  {
    pattern: find(String.raw`${start}(${oneOf(Object.keys(words.dozens))})${notLetter}`),
    cues: cuesOf(Object.keys(words.dozens)),
    read: ([, word = ""]) => quantity([words.dozens[word.toLowerCase()] ?? 0], null),
  },
  { pattern: find(String.raw`(${numberWords})(?:[\s-]*(${unitAfter}))?`), cues: cuesOf(counts), read: readCounted },
  {
    pattern: find(oneOf(Object.keys(words.daySpans))),
    cues: korean,
    read: ([word = ""]) => quantity([words.daySpans[word] ?? 0], { measure: "time", factor: 86_400 }),
  },
];

const cuedForms = new Map<string, Form[]>();
for (const form of forms) for (const cue of form.cues ?? []) cuedForms.set(cue, [...(cuedForms.get(cue) ?? []), form]);

/** The forms that a text may contain, by its words and figures. */
function listFittingForms(text: string): Form[] {
  const said = text.toLowerCase().match(/\p{L}+/gu) ?? [];
  const cued = new Set(said.flatMap((word) => cuedForms.get(word) ?? []));
  const [hasDigit, hasJoined, isKorean] = [/\d/.test(text), /\d[-/.:]\d/.test(text), isHangul(text)];
  return forms.filter((form) => {
    if (form.cues === joined) return hasJoined;
    return form.cues ? isKorean || cued.has(form) : hasDigit;
  });
}

/** Extracts values: numbers with units, dates, times, weekdays and ordinals; `rest` is the text without them and their bounds. */
export function readValues(text: string): { values: Value[]; rest: string } {
  const values: Value[] = [];
  const bounding: string[] = [];
  let rest = text;
  for (const { pattern, read } of listFittingForms(text))
    rest = rest.replaceAll(pattern(), (...args) => {
      const place = args.findIndex((arg) => typeof arg === "number");
      const groups = (args.slice(0, place) as (string | undefined)[]).map((group) => group ?? "");
      const at = args[place] as number;
      const [whole = ""] = groups;
      const before = rest.slice(0, at);
      const found = isInsideWord(rest, at) ? null : read(groups, before);
      if (!found) return whole;
      const { bound, words: said } = readBound(before, rest.slice(at + whole.length));
      values.push({ ...found, at, length: whole.length, bound });
      if (bound !== null && inclusive.has(bound)) bounding.push(said);
      return "\u0000".repeat(whole.length);
    });
  const plain = bounding.reduce((left, said) => left.replace(said, " "), rest.replaceAll(/\u0000+/g, " "));
  return { values: values.toSorted((a, b) => a.at - b.at), rest: plain };
}

/** A number without a unit matches any unit; a date without its year matches any year. */
export function isSameValue(a: Value, b: Value): boolean {
  if (a.bound !== b.bound) return false;
  if (a.kind === "number" && b.kind === "number") return isSameAmount(a, b);
  if (a.kind === "ordinal" && b.kind === "ordinal") return a.place === b.place;
  if (a.kind === "date" && b.kind === "date")
    return a.readings.some((one) => b.readings.some((other) => isSameDate(one, other)));
  if (a.kind === "time" && b.kind === "time") return a.minutes === b.minutes;
  return a.kind === "weekday" && b.kind === "weekday" && a.day === b.day;
}

export function kindOf(value: Value): string {
  return value.kind === "number" ? `number ${value.measure ?? ""}` : value.kind;
}

export function orderOf(value: Value): number | null {
  if (value.kind === "number") return (value.readings[0] ?? 0) * value.factor;
  if (value.kind === "ordinal") return value.place;
  if (value.kind === "time") return value.minutes;
  return value.kind === "date" ? orderDate(value.readings[0]) : null;
}

/** A sortable number (20240112); a missing month or day counts as the first. Null without a year. */
function orderDate(parts: DateParts | undefined): number | null {
  return parts?.year == null ? null : parts.year * 10_000 + (parts.month ?? 1) * 100 + (parts.day ?? 1);
}

export function formatDate(date: number): string {
  const digits = String(date).padStart(8, "0");
  return `${digits.slice(0, 4)}-${digits.slice(4, 6)}-${digits.slice(6)}`;
}

export function findDates(text: string): number[] {
  return readValues(text).values.flatMap((value) =>
    value.kind === "date" ? (orderDate(value.readings[0]) ?? []) : [],
  );
}

/** Amounts of one measure are compared in its base unit; without a unit, as plain numbers. */
function isSameAmount(a: Amount, b: Amount): boolean {
  const isBare = a.measure === null || b.measure === null;
  if (!isBare && a.measure !== b.measure) return false;
  const [scaleA, scaleB] = isBare ? [1, 1] : [a.factor, b.factor];
  return a.readings.some((one) => b.readings.some((other) => isClose(one * scaleA, other * scaleB)));
}

function isClose(a: number, b: number): boolean {
  return Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b));
}

function isSameDate(a: DateParts, b: DateParts): boolean {
  const yearFits = a.year === b.year || (a.month !== null && a.day !== null && (a.year === null || b.year === null));
  return yearFits && a.month === b.month && a.day === b.day;
}

/** Parses digits. "3.000" is three thousand in Jakarta, so both readings are kept, the likelier first. */
function readDigits(text: string): number[] {
  const sign = /^(?:negative |minus |[-−])/i.test(text) ? -1 : 1;
  const plain = text.replace(/^(?:negative |minus |[-−+])/i, "").replaceAll(/[\s']/g, "");
  return readUnsigned(plain).map((value) => sign * value);
}

function readUnsigned(digits: string): number[] {
  if (/e/i.test(digits)) return [Number(digits.replace(",", "."))];
  const separators = digits.match(/[.,]/g) ?? [];
  const [first] = separators;
  if (first === undefined) return [Number(digits)];
  const readAs = (point: string | null): number => {
    const kept = digits.replaceAll(/[.,]/g, (mark) => (mark === point ? mark : ""));
    return Number(point === null ? kept : kept.replace(point, "."));
  };
  if (new Set(separators).size === 2) return [readAs(separators.at(-1) ?? ".")];
  if (separators.length > 1) return [readAs(null)];
  const [whole = "", after = ""] = digits.split(first);
  if (after.length !== 3 || /^0*$/.test(whole) || whole.length > 3) return [readAs(first)];
  if (first === ",") return [readAs(null)];
  return after.endsWith("00") ? [readAs(null), readAs(".")] : [readAs("."), readAs(null)];
}

/** Multiplies without floating-point noise (4.2 million is 4200000). */
function multiply(value: number, scale: number): number {
  const product = value * scale;
  return Number.isInteger(product) && Math.abs(product) < 1e15 ? product : Number(product.toPrecision(15));
}

function readAmount([, before = "", digits = "", scale = "", after = ""]: string[]): Found | null {
  const factor = words.scales[scale.toLowerCase()] ?? words.tens[scale.toLowerCase()] ?? 1;
  const readings = readDigits(digits).map((value) => multiply(value, factor));
  return readings.every(Number.isFinite) ? quantity(readings, findUnit(after) ?? findUnit(before)) : null;
}

/** "one" is a number before a noun, but not in "the red one" or "no one". */
function readCounted([whole = "", counted = "", after = ""]: string[], before: string): Found | null {
  const isOne = counted.toLowerCase() === "one";
  const counts =
    whole.length > counted.length ||
    before.trim() === "" ||
    /\b(?:only|just|is|are|has|have|of|to|with|holds?)\s*$/i.test(before);
  return isOne && !counts ? null : quantity([readCount(counted)], findUnit(after));
}

const eachWord = new RegExp(String.raw`[a-z]+|${hangul}`, "g");

function readCount(text: string): number {
  if (/^\d/.test(text)) return Number(text);
  let [total, part] = [0, 0];
  for (const word of text.toLowerCase().match(eachWord) ?? []) {
    const ten = words.tens[word];
    const scale = words.scales[word];
    if (ten !== undefined) part = Math.max(part, 1) * ten;
    else if (scale !== undefined) [total, part] = [total + Math.max(part, 1) * scale, 0];
    else part += words.numbers[word] ?? 0;
  }
  return total + part;
}

function quantity(readings: number[], unit: Unit | null): Found {
  return { kind: "number", readings, measure: unit?.measure ?? null, factor: unit?.factor ?? 1 };
}

/** A digit inside a name ("H2O", "B2B") is not a number. */
function isInsideWord(text: string, at: number): boolean {
  return /\d/.test(text[at] ?? "") && /[a-z]/i.test(text[at - 1] ?? "");
}

const bounds = Object.entries(words.bounds).map(([bound, { before, after }]) => ({
  bound: bound as NonNullable<Bound>,
  before: new RegExp(String.raw`(?:^|[^\p{L}])(?:${before})\s+(?:the\s+)?$`, "iu"),
  after: new RegExp(String.raw`^\s*(?:${after}${/[<>]=/.test(bound) ? `|${before}` : ""})(?![a-z]|\s*\d)`, "iu"),
}));

/** Bounds that hold their value: their words say nothing else. */
const inclusive: ReadonlySet<Bound> = new Set([">=", "<=", "~"]);

function readBound(before: string, after: string): { bound: Bound; words: string } {
  const near = before.slice(-32).replaceAll("\u0000", "0");
  const padded = /\s$/.test(near) ? near : `${near} `;
  for (const { bound, ...form } of bounds) {
    const [found] = form.before.exec(padded) ?? form.after.exec(after) ?? [];
    if (found !== undefined) return { bound, words: found.replace(/^[^\p{L}]+/u, "").trim() };
  }
  return { bound: null, words: "" };
}

/** Compiles a pattern on first use: compiling all of them takes longer than the rest of a start. */
function find(pattern: string, flags = "giu"): () => RegExp {
  let made: RegExp | null = null;
  return () => (made ??= new RegExp(pattern, flags));
}

function dateForm(
  pattern: string,
  read: (a: string, b: string, c: string) => DateParts[],
  cues?: ReadonlySet<string>,
): Form {
  return {
    pattern: find(pattern),
    ...(cues && { cues }),
    read: ([, a = "", b = "", c = ""]) => ({ kind: "date", readings: read(a, b, c) }),
  };
}

function timeForm(
  pattern: string,
  read: (a: string, b: string, c: string) => number | null,
  cues?: ReadonlySet<string>,
): Form {
  return {
    pattern: find(pattern),
    ...(cues && { cues }),
    read: ([, a = "", b = "", c = ""]) => {
      const minutes = read(a, b, c);
      return minutes === null ? null : { kind: "time", minutes };
    },
  };
}

function date(year: string, monthText: string, day: string): DateParts {
  const number = (text: string): number | null => (text === "" ? null : Number(text));
  return { year: number(year), month: words.months[monthText.toLowerCase()] ?? number(monthText), day: number(day) };
}

function isPossible({ month: m, day: d }: DateParts): boolean {
  return (m ?? 1) <= 12 && (d ?? 1) <= 31;
}

function clock(hours: number, minutes: string, afternoon: boolean): number | null {
  const total = (hours + (afternoon ? 12 : 0)) * 60 + Number(minutes === "" ? 0 : minutes);
  return hours > 24 || Number.isNaN(total) ? null : total % 1440;
}
