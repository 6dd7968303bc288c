import { readFileSync } from "node:fs";

const names = [
  "common.md",
  "nla.md",
  "ala.md",
  "answer.md",
  "revision.md",
  "critic.md",
  "critic-first.md",
  "critic-again.md",
  "critic-last.md",
  "critic-example.md",
  "supervisor.md",
  "single.md",
  "embedder.md",
] as const;

/** The pack's prompts by file name; data never goes into them. */
export const prompts = Object.fromEntries(
  names.map((name) => [name, readFileSync(new URL(`./${name}`, import.meta.url), "utf8").trim()]),
) as Record<(typeof names)[number], string>;
