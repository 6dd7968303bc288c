import { readFileSync } from "node:fs";

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

const texts = new Map<PromptName, string>(
  names.map((name) => [name, readFileSync(new URL(`.//${name}.md`, import.meta.url), "utf8").trimEnd()]),
);

/** The text of a prompt file of this folder. */
export function readPrompt(name: PromptName): string {
  return texts.get(name) ?? "";
}

/** Every prompt by file name, for the manifest's hashes. */
export const prompts: Record<string, string> = Object.fromEntries(
  [...texts].map(([name, text]) => [`${name}.md`, text]),
);
