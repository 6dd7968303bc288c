import { readFileSync } from "node:fs";
import * as z from "zod";
import { PersonaSchema, type Style } from "../schemas/debate.ts";
import type { LanguageCode } from "../schemas/stage1.ts";

const read = (file: string) => readFileSync(new URL(`.//${file}`, import.meta.url), "utf8").trimEnd();
const texts = new Map<string, string>();

export function readPrompt(name: string): string {
  const text = texts.get(name) ?? read(`${name}.md`);
  texts.set(name, text);
  return text;
}

const written = z.record(z.string(), z.record(z.string(), z.record(z.string(), PersonaSchema)));

/** Default speakers of each style, by language (sentiment spec §3). */
export const defaultPersonas = written.parse(JSON.parse(read("personas.json"))) as Record<
  LanguageCode,
  Record<Style, Record<string, z.infer<typeof PersonaSchema>>>
>;

const words = (file: string) => z.record(z.string(), z.string()).parse(JSON.parse(read(file)));
export const problemWords = words("problems.json");
export const roleNames = words("names.json");
/** What an edit, a proposal or a review says of its aspect, before the polarity or name it gives. */
export const deeds = words("deeds.json");
/** Why a rule decided as it did. */
export const reasonWords = words("reasons.json");
export const tips = words("tips.json");
