import { readFileSync } from "node:fs";
import type { Language } from "../schemas/material.ts";

const read = (name: Language | "form"): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), "utf8")) as Record<string, string>;
const words: Record<Language, Record<string, string>> = { id: read("id"), en: read("en") };
/** What a person is asked when cast as an agent or a critic. */
export const formLabels = read("form");

export function word(language: Language, key: string, values: Record<string, string | number> = {}): string {
  const template = words[language][key];
  if (template === undefined) throw new Error(`no words for "${key}" in ${language}.json`);
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

export function listWords(list: string): string[] {
  return Object.values(words).flatMap((own) => own[`list.${list}`]?.split(" ") ?? []);
}

export function matchWord(...lists: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${lists.flatMap(listWords).join("|")})(?![\\p{L}\\p{N}])`, "iu");
}
