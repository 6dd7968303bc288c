import { readFileSync } from "node:fs";
import { remember } from "../../text/remember.ts";
import { listTerms } from "../../text/terms.ts";

/** The words by which documents and questions are read, in one language; lists are parted by spaces, the rest are patterns. */
type ReadingWords = {
  orders: string;
  unsigned: string;
  hearsay: string;
  dateLine: string;
  outdated: string;
  supersedes: string;
  untilThen?: string;
  amend?: string;
  repeal?: string;
  negation: string;
  opposites: [string, string][];
  leaning: string;
  leftOut?: string;
  causeHeading: string;
  asks: [kind: string, pattern: string][];
  counted: string;
  people: string;
  told: Record<"cause" | "frequency" | "place", string>;
  frequencyValue: string;
  related: [words: string, name: string][];
  compare: [words: string, measure: "money" | "any", direction: "min" | "max"][];
  alternatives?: string;
  results: string;
  steps?: string;
  rates?: string;
  adverse: string;
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

type PatternKey = {
  [K in keyof ReadingWords]-?: NonNullable<ReadingWords[K]> extends string ? K : never;
}[keyof ReadingWords];
const join = (key: PatternKey, flags = "iu"): RegExp =>
  new RegExp(
    readings
      .map((reading) => reading[key])
      .filter(Boolean)
      .join("|"),
    flags,
  );
const told = (kind: "cause" | "frequency" | "place"): RegExp =>
  new RegExp(readings.map((one) => one.told[kind]).join("|"), "iu");
const between = (word: string): string => (/\p{Script=Hangul}/u.test(word) ? word : String.raw`\b${word}(?:e?s)?\b`);

/** The words of all languages together: a folder may hold several. */
export const words = {
  orders: join("orders", "imu"),
  unsigned: join("unsigned"),
  hearsay: join("hearsay"),
  dateLine: new RegExp(
    String.raw`^[\s>*_-]*(?:${readings.map(({ dateLine }) => dateLine).join("|")})(?=[\s:*]).{0,80}$`,
    "imu",
  ),
  outdated: join("outdated"),
  supersedes: join("supersedes"),
  untilThen: join("untilThen"),
  amend: join("amend"),
  repeal: join("repeal"),
  negation: join("negation"),
  leaning: join("leaning"),
  leftOut: join("leftOut"),
  causeHeading: join("causeHeading"),
  counted: join("counted"),
  frequencyValue: join("frequencyValue", "iu"),
  results: join("results", "giu"),
  steps: join("steps", "giu"),
  rates: join("rates", "giu"),
  adverse: join("adverse"),
  alternatives: join("alternatives"),
  cause: told("cause"),
  frequency: told("frequency"),
  place: told("place"),
  people: new RegExp(readings.flatMap(({ people }) => people.split(" ").map(between)).join("|"), "iu"),
  asks: readings.flatMap(({ asks }) => asks.map(([kind, pattern]) => ({ kind, pattern: new RegExp(pattern, "iu") }))),
  opposites: readings.flatMap(({ opposites }) =>
    opposites.map((pair) => pair.map((side) => new Set(listTerms(side))) as [Set<string>, Set<string>]),
  ),
  compare: readings.flatMap(({ compare }) =>
    compare.map(([list, measure, direction]) => ({
      pattern: new RegExp(String.raw`\b(?:${list.includes("|") ? list : list.replaceAll(" ", "|")})\b`, "iu"),
      measure,
      direction,
    })),
  ),
};

/** Words that stand for each other in a question and its answer, each with the name of its kind. */
const related = new Map(
  readings.flatMap((reading) =>
    reading.related.flatMap(([list, name]) => listTerms(list).map((term) => [term, `~${name}`] as const)),
  ),
);

/** A term, and the name of the kind of words it belongs to, if there is one. */
export function kindOfTerm(term: string): string | null {
  return related.get(term) ?? null;
}

/** What the words of one family share: the name of their kind, else the word without the ending that derives it ("instruction", "instruct"). */
export const familyOf = remember(
  5_000,
  (term: string): string =>
    related.get(term) ??
    term.replace(/(?<=\p{L}{5})(?:ion|al|er|or|ity|ance|ence)$/u, "").replace(/(?<=\p{L}{3})i$/u, "y"),
);

/** What a program says in the language of a text. */
export function sayingsFor(text: string): Sayings {
  const place = /\p{Script=Hangul}/u.test(text)
    ? 2
    : /\b(?:apa|siapa|berapa|kapan|mengapa|kenapa|yang|di mana|apakah)\b/i.test(text)
      ? 1
      : 0;
  return files[place]?.says as Sayings;
}
