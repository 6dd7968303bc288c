import { createRequire } from "node:module";
import { isPlain } from "./display-width.ts";

const require = createRequire(import.meta.url);

/** Breaks lines at spaces, or anywhere when it must be (`hard`); colours go on from line to line. Loaded when it is first needed. */
export function wrapColoured(text: string, width: number, options: { hard?: boolean } = {}): string[] {
  const { default: wrapAnsi } = require("wrap-ansi") as typeof import("wrap-ansi");
  return wrapAnsi(text, width, options).split("\n");
}

/** Breaks a text at spaces into lines of at most this many columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const words = text.trim().replaceAll(/\s+/g, " ");
  if (words === "") return [];
  return isPlain(words) ? wrapPlain(words.split(" "), width) : wrapColoured(words, Math.max(1, width));
}

function wrapPlain(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}
