import { readFileSync } from "node:fs";

const names = [
  "common",
  "turns",
  "nla",
  "ala",
  "answer",
  "revision",
  "critic",
  "critic-first",
  "critic-again",
  "critic-last",
  "critic-example",
  "supervisor",
  "single",
] as const;
type Name = (typeof names)[number];

const languages = ["id", "en"] as const;
export type Language = (typeof languages)[number];

const files = ["embedder.md", ...languages.flatMap((language) => names.map((name) => `${language}/${name}.md`))];

/** The pack's prompts by file; data never goes into them. */
export const prompts: Record<string, string> = Object.fromEntries(
  files.map((file) => [file, readFileSync(new URL(`./${file}`, import.meta.url), "utf8").trim()]),
);

/** A prompt in the language of a case. */
export function readPrompt(language: Language, name: Name): string {
  return prompts[`${language}/${name}.md`] ?? "";
}
