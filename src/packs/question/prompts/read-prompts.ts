import { readFileSync } from "node:fs";

const read = (name: string): string => readFileSync(new URL(`./${name}`, import.meta.url), "utf8");

export const prompts = {
  "instructions.md": read("instructions.md"),
  "judge.md": read("judge.md"),
  "same-answer.md": read("same-answer.md"),
  "send-back.md": read("send-back.md"),
  "anti-conformity.md": read("anti-conformity.md"),
};

export const tasks = JSON.parse(read("tasks.json")) as Record<"opening" | "revision" | "rebuttal" | "search", string>;

export const personas: unknown = JSON.parse(read("personas.json"));
