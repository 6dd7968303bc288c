import { readFileSync } from "node:fs";
import { remember } from "../../text/remember.ts";
import { splitWords, termOf } from "../../text/search.ts";

const numbers = JSON.parse(readFileSync(new URL("../../../data/text/values.json", import.meta.url), "utf8")) as {
  numbers: Record<string, number>;
};
const digits = new Map(Object.entries(numbers.numbers).map(([word, number]) => [word, String(number)]));

/** The terms of a text; number words are digits. */
export function listTerms(text: string): string[] {
  return splitWords(text).flatMap((word) => digits.get(word) ?? termOf(word) ?? []);
}

/** Patterns of one language; "global" ones find all places, the others tell whether there is one. */
const patterns = [
  ..."unsigned hearsay supersedes amend repeal negation leaning leftOut causeHeading".split(" "),
  ..."counted focus frequencyValue adverse alternatives label asksEnd asksBegin".split(" "),
];
const globalPatterns = ["steps", "rates", "workedOut"];
type PatternName =
  | ("unsigned" | "hearsay" | "supersedes" | "amend" | "repeal" | "negation")
  | ("leaning" | "leftOut" | "causeHeading" | "counted" | "focus" | "frequencyValue" | "adverse" | "alternatives")
  | ("label" | "asksEnd" | "asksBegin")
  | ("steps" | "rates" | "workedOut");

/** The words by which documents and questions are read, in one language; lists are parted by spaces, the rest are patterns. */
type ReadingWords = Partial<Record<PatternName, string>> & {
  orders: string;
  dateLine: string;
  asks: [kind: string, pattern: string][];
  people: string;
  told: Record<"cause" | "place", string>;
  related: [words: string, name: string][];
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
const join = (of: (reading: ReadingWords) => string | undefined, flags = "iu"): RegExp =>
  new RegExp(readings.map(of).filter(Boolean).join("|"), flags);
const between = (word: string): string => (/\p{Script=Hangul}/u.test(word) ? word : String.raw`\b${word}(?:e?s)?\b`);

/** The words of all languages together: a folder may hold several. */
export const words = {
  ...(Object.fromEntries([
    ...patterns.map((name) => [name, join((one) => one[name as PatternName])]),
    ...globalPatterns.map((name) => [name, join((one) => one[name as PatternName], "giu")]),
  ]) as Record<PatternName, RegExp>),
  orders: join(({ orders }) => orders, "imu"),
  dateLine: new RegExp(
    String.raw`^[\s>*_-]*(?:${readings.map(({ dateLine }) => dateLine).join("|")})(?=[\s:*]).{0,80}$`,
    "imu",
  ),
  cause: join(({ told }) => told.cause),
  place: join(({ told }) => told.place),
  people: join(({ people }) => people.split(" ").map(between).join("|")),
  asks: readings.flatMap(({ asks }) => asks.map(([kind, pattern]) => ({ kind, pattern: new RegExp(pattern, "iu") }))),
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

type Thesaurus = { related: Map<string, Set<string>>; levels: Map<string, number> };
let thesaurus: Thesaurus | null = null;

/** The English words that share a meaning with a word, are derived from it or stand directly above or below it, by WordNet. */
export function listRelated(term: string): ReadonlySet<string> {
  thesaurus ??= readThesaurus();
  return thesaurus.related.get(term) ?? new Set();
}

/** How little a word is used in English at large, 0.25 to 1: what everybody says all the time tells little of what is asked. */
export function rarityOf(term: string): number {
  thesaurus ??= readThesaurus();
  return Math.max(0.25, 1 - 0.08 * (thesaurus.levels.get(term) ?? 0));
}

function readThesaurus(): Thesaurus {
  const file = readFileSync(new URL("../../../data/question/related-words.txt", import.meta.url), "utf8");
  const [related, levels] = [new Map<string, Set<string>>(), new Map<string, number>()];
  const add = (word: string, other: string): void => {
    const known = related.get(word);
    if (known) known.add(other);
    else related.set(word, new Set([other]));
  };
  for (const line of file.split("\n")) {
    const [word = "", level = "0", ...others] = line.split(" ");
    levels.set(word, Number(level));
    for (const other of others) {
      add(word, other);
      add(other, word);
    }
  }
  return { related, levels };
}

/** What a program says in the language of a text. */
export function sayingsFor(text: string): Sayings {
  const place = /\p{Script=Hangul}/u.test(text)
    ? 2
    : /\b(?:apa|siapa|berapa|kapan|mengapa|kenapa|yang|di mana|apakah)\b/i.test(text)
      ? 1
      : 0;
  return files[place]?.says as Sayings;
}
