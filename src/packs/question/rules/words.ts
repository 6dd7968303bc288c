import { readFileSync } from "node:fs";
import type { PromptLanguage } from "../../../contract/prompt.ts";

/** The words by which answers are compared, in one language; lists are parted by spaces, the rest are patterns. */
type AnswerWords = {
  function: string;
  copula: string;
  denials: string;
  denied: Record<string, string>;
  same: Record<string, string>;
  failures: string;
  yes: string;
  no: string;
  conditions: Record<string, string>;
  or: string;
  and: string;
  noAnswer: string;
  noAnswerWhole: string;
  majority: string;
  named: string;
  person: string;
  withdrawn: string;
};

const languages = ["en", "id", "ko"] as const satisfies readonly PromptLanguage[];
const files = languages.map(
  (language) =>
    (
      JSON.parse(readFileSync(new URL(`../../../../data/question/${language}.json`, import.meta.url), "utf8")) as {
        answers: AnswerWords;
      }
    ).answers,
);

type TextKey = { [K in keyof AnswerWords]: AnswerWords[K] extends string ? K : never }[keyof AnswerWords];

const joinLists = (key: TextKey): Set<string> => new Set(files.flatMap((file) => file[key].split(" ")).filter(Boolean));
const joinPatterns = (key: TextKey): string =>
  files
    .map((file) => file[key])
    .filter(Boolean)
    .join("|");
/** A pattern between words; Hangul has endings, so that it needs no end. */
const between = (pattern: string): RegExp => new RegExp(String.raw`(?<![\p{L}])(?:${pattern})(?![a-z])`, "iu");

/** The words of all languages together: an answer does not say which it is in. */
export const answerWords = {
  function: joinLists("function"),
  copula: joinLists("copula"),
  denials: joinLists("denials"),
  denied: new Map(files.flatMap((file) => Object.entries(file.denied))),
  same: new Map(files.flatMap((file) => Object.entries(file.same))),
  failures: new RegExp(String.raw`\b(?:${joinPatterns("failures")})\b`, "giu"),
  yes: new RegExp(String.raw`^(?:${joinPatterns("yes")})(?![\p{L}])`, "iu"),
  no: new RegExp(String.raw`^(?:${joinPatterns("no")})(?:\s*[,.;:!–—-]|$)`, "iu"),
  conditions: files.flatMap((file) =>
    Object.entries(file.conditions).map(([kind, pattern]) => ({ kind, pattern: between(pattern) })),
  ),
  or: between(joinPatterns("or")),
  and: between(joinPatterns("and")),
  noAnswer: new RegExp(String.raw`^\W*(?:${joinPatterns("noAnswer")})`, "iu"),
  noAnswerWhole: new RegExp(String.raw`^\W*(?:${joinPatterns("noAnswerWhole")})\W*$`, "iu"),
  majority: joinLists("majority"),
  named: new RegExp(String.raw`(?<![\p{L}])(${joinPatterns("named")})\s*(\d[\d.]*)`, "giu"),
  person: new RegExp(joinPatterns("person"), "iu"),
  withdrawn: new RegExp(joinPatterns("withdrawn"), "iu"),
};
