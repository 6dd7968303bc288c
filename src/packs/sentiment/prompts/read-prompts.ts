import { readFileSync } from "node:fs";
import * as z from "zod";
import { PersonaSchema, type Style } from "../schemas/debate.ts";
import type { LanguageCode } from "../schemas/stage1.ts";

const names = [
  "stage1",
  "ate_stage1",
  "atsa_stage1",
  "validator_stage1",
  "debate_speaker",
  "debate_judge",
  "stance_speaker",
  "stance_judge",
  "stage2",
  "ate_stage2",
  "atsa_stage2",
  "validator_stage2",
  "review_guidance",
  "fallback_mapping_policy",
] as const;
export type PromptName = (typeof names)[number];

const read = (file: string) => readFileSync(new URL(`.//${file}`, import.meta.url), "utf8").trimEnd();
const texts = new Map<PromptName, string>(names.map((name) => [name, read(`${name}.md`)]));

/** The text of a prompt file of this folder. */
export function readPrompt(name: PromptName): string {
  return texts.get(name) ?? "";
}

const written = z.record(z.string(), z.record(z.string(), z.record(z.string(), PersonaSchema)));

/** The speakers of each style, in the language of the text (sentiment spec §3). */
export const defaultPersonas = written.parse(JSON.parse(read("personas.json"))) as Record<
  LanguageCode,
  Record<Style, Record<string, z.infer<typeof PersonaSchema>>>
>;
