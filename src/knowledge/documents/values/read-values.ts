import { createFormFinder, digit, type Need } from "./likely-forms.ts";
import { dateForms, monthAlone, monthNames, readMonth } from "./read-dates.ts";
import { multiply, readDigits } from "./number-digits.ts";
import {
  countingWords,
  daySpans,
  findScale,
  numberWords,
  ordinalWords,
  readNumberWords,
  scaleAfter,
  shareWords,
} from "./number-words.ts";
import { readWeekday, timeForms, weekdayForm, weekdayWords } from "./read-times.ts";
import { findUnit, unitAfter, unitBefore } from "./units.ts";
import type { Bound, Value } from "./value.ts";

/** A text taken apart: its values in order, and the text with each value blanked out. */
export type Reading = { values: Value[]; rest: string };

/** A value without its place and bound. */
type Found = Value extends infer V ? (V extends Value ? Omit<V, "at" | "length" | "bound"> : never) : never;

type Form = { pattern: RegExp; needs: Need; read(found: RegExpMatchArray, before: string): Found | null };

const amount = String.raw`(${unitBefore})?\s?([-−]?\d(?:[\d.,]*\d)?)(?:\s?(${scaleAfter}))?(?:\s?([-\s])?(${unitAfter}))?`;

/** What is read from a text, the fullest forms first: each takes its place from those after it. */
const forms: Form[] = [
  ...dateForms.map(
    ({ pattern, needs, read }): Form => ({
      pattern,
      needs,
      read: (found) => ({ kind: "date", readings: read(found.slice(1)) }),
    }),
  ),
  ...timeForms.map(
    ({ pattern, needs, read }): Form => ({
      pattern,
      needs,
      read: (found) => {
        const minutes = read(found.slice(1));
        return minutes === null ? null : { kind: "time", minutes };
      },
    }),
  ),
  {
    pattern: weekdayForm,
    needs: { words: weekdayWords },
    read: ([name]) => ({ kind: "weekday", day: readWeekday(name ?? "") ?? 0 }),
  },
  {
    pattern: monthAlone,
    needs: { words: monthNames },
    read: ([name]) => ({ kind: "date", readings: [{ year: null, month: readMonth(name ?? ""), day: null }] }),
  },
  {
    pattern: /(?<![\p{L}\p{N}])(\d+)(?:st|nd|rd|th)(?![\p{L}])|제?(\d+)(?:번째|위)|\bke-(\d+)/giu,
    needs: { words: ["st", "nd", "rd", "th", "ke"], mark: digit },
    read: readOrdinal,
  },
  {
    pattern: new RegExp(String.raw`(?<![\p{L}])(?:${[...ordinalWords.keys()].join("|")})(?![\p{L}])`, "giu"),
    needs: { words: [...ordinalWords.keys()] },
    read: ([word]) => ({ kind: "ordinal", place: ordinalWords.get((word ?? "").toLowerCase()) ?? 0 }),
  },
  {
    pattern: new RegExp(
      String.raw`(?<![\p{L}])(${[...shareWords.keys()].join("|")})(?![\p{L}])(?:\s+(?:of\s+)?(?:an?\s+)?(${unitAfter}))?`,
      "giu",
    ),
    needs: { words: [...shareWords.keys()].map((share) => share.split(" ").at(-1) ?? "") },
    read: readShare,
  },
  { pattern: new RegExp(String.raw`(?<![\p{L}\p{N}])${amount}`, "giu"), needs: { mark: digit }, read: readAmount },
  {
    pattern: new RegExp(String.raw`(${numberWords})(?:[\s-]*(${unitAfter}))?`, "giu"),
    needs: { words: countingWords },
    read: readWords,
  },
  {
    pattern: new RegExp(`(?:${[...daySpans.keys()].join("|")})`, "gu"),
    needs: { words: [] },
    read: ([word]) => ({ kind: "number", readings: [daySpans.get(word ?? "") ?? 0], measure: "time", factor: 86_400 }),
  },
];

const findLikelyForms = createFormFinder(forms);

/** Takes the values out of a text: numbers with units, dates, times, weekdays and places in an order. */
export function readValues(text: string): Reading {
  const values: Value[] = [];
  let rest = text;
  for (const { pattern, read } of findLikelyForms(text))
    rest = rest.replaceAll(pattern, (...args) => {
      const place = args.findIndex((arg) => typeof arg === "number");
      const groups = args.slice(0, place) as string[];
      const at = args[place] as number;
      const [whole = ""] = groups;
      const before = rest.slice(0, at);
      const found = isInsideWord(rest, at) ? null : read(groups as unknown as RegExpMatchArray, before);
      if (!found) return whole;
      const bound = readBound(before, rest.slice(at + whole.length));
      values.push({ ...found, at, length: whole.length, bound });
      return "\u0000".repeat(whole.length);
    });
  return { values: values.toSorted((a, b) => a.at - b.at), rest: rest.replaceAll(/\u0000+/g, " ") };
}

/** A digit inside a name ("H2O", "B2B") is not a number. */
function isInsideWord(text: string, at: number): boolean {
  return /\d/.test(text[at] ?? "") && /[a-z]/i.test(text[at - 1] ?? "");
}

function readOrdinal(found: RegExpMatchArray): Found {
  return { kind: "ordinal", place: Number(found.slice(1).find(Boolean)) };
}

/** A share of something, or of a unit: "half", "half an hour". */
function readShare([, word = "", after = ""]: RegExpMatchArray): Found {
  const unit = findUnit(after) ?? { measure: "share", factor: 1 };
  return { kind: "number", readings: [shareWords.get(word.toLowerCase()) ?? 0], ...unit };
}

function readAmount([, before = "", digits = "", scale = "", , after = ""]: RegExpMatchArray): Found | null {
  const unit = findUnit(after) ?? findUnit(before);
  const readings = readDigits(digits).map((value) => multiply(value, findScale(scale)));
  if (!readings.every(Number.isFinite)) return null;
  return { kind: "number", readings, measure: unit?.measure ?? null, factor: unit?.factor ?? 1 };
}

/** "one" is a number in front of a noun, not in "the red one" or "no one". */
function readWords([whole = "", words = "", after = ""]: RegExpMatchArray, before: string): Found | null {
  if (/^(?:one|한|세|네|두)$/i.test(words) && !isCounting(words, whole, before)) return null;
  const unit = findUnit(after);
  return {
    kind: "number",
    readings: [readNumberWords(words)],
    measure: unit?.measure ?? null,
    factor: unit?.factor ?? 1,
  };
}

function isCounting(word: string, whole: string, before: string): boolean {
  if (word.toLowerCase() !== "one") return true;
  return (
    whole.length > word.length || before.trim() === "" || /\b(?:only|just|is|are|has|have|of|to|with)\s*$/i.test(before)
  );
}

const boundsBefore: [RegExp, Bound][] = [
  [/(?:at least|no (?:less|fewer) than|minimum(?: of)?|minimal|paling sedikit|sekurang-kurangnya|최소)$/i, ">="],
  [/(?:at most|no more than|maximum(?: of)?|maksimal|paling banyak|최대)$/i, "<="],
  [/(?:(?:more|longer|larger|greater|older|later) than|over|above|di atas|lebih dari)$/i, ">"],
  [/(?:(?:less|fewer|shorter|smaller|younger) than|under|below|di bawah|kurang dari)$/i, "<"],
];
const boundsAfter: [RegExp, Bound][] = [
  [/^\s*(?:or more|or above|and above|이상|ke atas)/i, ">="],
  [/^\s*(?:or less|or fewer|or below|이하|ke bawah)/i, "<="],
  [/^\s*초과/, ">"],
  [/^\s*미만/, "<"],
];

/** Longer than all that can stand before a value to bound it. */
const longestBound = 24;

function readBound(before: string, after: string): Bound {
  const near = before.trimEnd().slice(-longestBound);
  const [, bound = null] =
    boundsBefore.find(([pattern]) => pattern.test(near)) ?? boundsAfter.find(([pattern]) => pattern.test(after)) ?? [];
  return bound;
}
