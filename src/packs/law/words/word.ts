import { readFileSync } from "node:fs";

const read = (name: string): Record<string, string> =>
  JSON.parse(readFileSync(new URL(`./${name}.json`, import.meta.url), "utf8")) as Record<string, string>;
const words = { id: read("id"), en: read("en") };
type Language = keyof typeof words;
/** What a person is asked when cast as an agent or a critic. */
export const formLabels = read("form");

export function word(language: Language, key: string, values: Record<string, string | number> = {}): string {
  const template = words[language][key];
  if (template === undefined) throw new Error(`no words for "${key}" in ${language}.json`);
  return template.replaceAll(/\{(\w+)\}/g, (whole, name: string) => String(values[name] ?? whole));
}

/** How the options of a form are named, in English as all of its fields. */
export function nameOptions(key: string, options: readonly string[]): Record<string, string> {
  return Object.fromEntries(options.map((option) => [option, word("en", `${key}.${option}`)]));
}

export function listWords(list: string): string[] {
  return Object.values(words).flatMap((own) => own[`list.${list}`]?.split(" ") ?? []);
}

export function matchWord(...lists: string[]): RegExp {
  return new RegExp(`(?<![\\p{L}\\p{N}])(?:${lists.flatMap(listWords).join("|")})(?![\\p{L}\\p{N}])`, "iu");
}
