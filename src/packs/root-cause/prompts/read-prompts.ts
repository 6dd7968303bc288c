import { readFileSync } from "node:fs";

const names = ["reasoner.md", "judge.md"] as const;
type PromptName = (typeof names)[number];

export const prompts = Object.fromEntries(
  names.map((name) => [name, readFileSync(new URL(`./${name}`, import.meta.url), "utf8").trim()]),
) as Record<PromptName, string>;
