import { readFileSync } from "node:fs";

const names = [
  "common.md",
  "log-focused.md",
  "kg-focused.md",
  "hybrid.md",
  "propose.md",
  "refine.md",
  "judge.md",
] as const;
export type PromptName = (typeof names)[number];

/** The pack's prompts by file name. */
export const prompts = Object.fromEntries(
  names.map((name) => [name, readFileSync(new URL(`./${name}`, import.meta.url), "utf8").trim()]),
) as Record<PromptName, string>;
