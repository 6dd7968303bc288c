import { readFileSync } from "node:fs";
import { remember, splitWords, termOf } from "../../text/search.ts";

const numbers = JSON.parse(readFileSync(new URL("../../../data/text/values.json", import.meta.url), "utf8")) as {
  numbers: Record<string, number>;
};
const digits = new Map(Object.entries(numbers.numbers).map(([word, number]) => [word, String(number)]));

/** The terms of a text: number words become digits, and derivational endings are cut off ("instruction", "instruct"). */
export function listTerms(text: string): string[] {
  return splitWords(text).flatMap((word) => digits.get(word) ?? familyOf(word) ?? []);
}

const familyOf = remember(
  10_000,
  (word: string): string | null =>
    termOf(word)
      ?.replace(/(?<=\p{L}{5})(?:ion|al|er|or|ity|ance|ence)$/u, "")
      .replace(/(?<=\p{L}{3})i$/u, "y") ?? null,
);

export const termsIn = remember(5_000, (text: string): ReadonlySet<string> => new Set(listTerms(text)));

const patternNames = [
  ...(["unsigned", "hearsay", "supersedes", "repeal", "negation", "causeHeading", "orders"] as const),
  ...(["counted", "or", "cause", "frequencyValue", "place"] as const),
];
type PatternName = (typeof patternNames)[number];
const flags: Partial<Record<PatternName, string>> = { frequencyValue: "giu", place: "giu", orders: "imu" };

type ReadingWords = Partial<Record<PatternName | "dateLine", string>> & {
  asks: [kind: string, pattern: string][];
  compare: [words: string, measure: "money" | "any", direction: "min" | "max"][];
};
type Sayings = Record<"noDocuments" | "sameProgram" | "nothingAgainst", string>;

const files = (["en", "id", "ko"] as const).map(
  (language) =>
    JSON.parse(readFileSync(new URL(`../../../data/question/${language}.json`, import.meta.url), "utf8")) as {
      reading: ReadingWords;
      says: Sayings;
    },
);
const readings = files.map(({ reading }) => reading);
const joinPatterns = (name: PatternName | "dateLine"): string => readings.flatMap((one) => one[name] ?? []).join("|");

export const words = {
  ...(Object.fromEntries(
    patternNames.map((name) => [name, new RegExp(joinPatterns(name), flags[name] ?? "iu")]),
  ) as Record<PatternName, RegExp>),
  dateLine: new RegExp(String.raw`^[\s>*_-]*(?:${joinPatterns("dateLine")})(?=[\s:*]).{0,80}$`, "imu"),
  asks: readings.flatMap(({ asks }) => asks.map(([kind, pattern]) => ({ kind, pattern: new RegExp(pattern, "iu") }))),
  compare: readings.flatMap(({ compare }) =>
    compare.map(([list, measure, direction]) => ({
      pattern: new RegExp(String.raw`\b(?:${list.includes("|") ? list : list.replaceAll(" ", "|")})\b`, "iu"),
      measure,
      direction,
    })),
  ),
};

export function sayingsFor(text: string): Sayings {
  const place = /\p{Script=Hangul}/u.test(text)
    ? 2
    : /\b(?:apa|siapa|berapa|kapan|mengapa|kenapa|yang|di mana|apakah)\b/i.test(text)
      ? 1
      : 0;
  return files[place]?.says as Sayings;
}
