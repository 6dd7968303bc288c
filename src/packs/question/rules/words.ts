import { readFileSync } from "node:fs";

type TextName =
  | ("function" | "copula" | "denials" | "majority" | "alternatives" | "relations" | "failures" | "yes" | "no")
  | ("or" | "and" | "noAnswer" | "noAnswerWhole" | "named" | "person" | "withdrawn");
type AnswerWords = Record<TextName, string> &
  Record<"denied" | "same" | "conditions", Record<string, string>> & {
    opposites: [string, string][];
  };

const files = (["en", "id", "ko"] as const).map((language) => {
  const url = new URL(`../../../../data/question/${language}.json`, import.meta.url);
  return (JSON.parse(readFileSync(url, "utf8")) as { answers: AnswerWords }).answers;
});

const joinLists = (name: TextName): Set<string> =>
  new Set(files.flatMap((file) => file[name].split(" ")).filter(Boolean));
const joinPatterns = (name: TextName): string => files.flatMap((file) => file[name] || []).join("|");
/** Matches whole words; Hangul words may have endings. */
const between = (pattern: string): RegExp => new RegExp(String.raw`(?<![\p{L}])(?:${pattern})(?![a-z])`, "iu");

/** Words of all languages together, since an answer does not name its language. */
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
  opposites: files.flatMap((file) =>
    file.opposites.map(([one, other]) => [between(one), between(other)] as [RegExp, RegExp]),
  ),
  /** Any side of any opposite. */
  poles: new RegExp(between(files.flatMap((file) => file.opposites.flat()).join("|")), "giu"),
  or: between(joinPatterns("or")),
  relations: new RegExp(between(joinPatterns("relations")), "giu"),
  alternatives: between(joinPatterns("alternatives")),
  and: between(joinPatterns("and")),
  noAnswer: new RegExp(String.raw`^\W*(?:${joinPatterns("noAnswer")})`, "iu"),
  noAnswerWhole: new RegExp(String.raw`^\W*(?:${joinPatterns("noAnswerWhole")})\W*$`, "iu"),
  majority: joinLists("majority"),
  named: new RegExp(String.raw`(?<![\p{L}])(${joinPatterns("named")})\s*(\d[\d.]*)`, "giu"),
  person: new RegExp(joinPatterns("person"), "iu"),
  withdrawn: new RegExp(joinPatterns("withdrawn"), "iu"),
};
