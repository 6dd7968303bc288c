import { readFileSync } from "node:fs";

/** The text of a prompt file of this folder, without its last line break. */
export function readPrompt(name: string): string {
  return readFileSync(new URL(`./${name}.md`, import.meta.url), "utf8").trimEnd();
}
