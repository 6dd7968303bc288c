import wrapAnsi from "wrap-ansi";
import { measureDisplayWidth } from "./display-width.ts";

/** Breaks a text at spaces into lines of at most this many columns; a longer word stands alone. */
export function wrap(text: string, width: number): string[] {
  const words = text.trim().replaceAll(/\s+/g, " ");
  return words === "" ? [] : wrapAnsi(words, Math.max(1, width)).split("\n");
}

/** Wraps a text behind a lead; the lines after the first are indented as far as the lead is wide. */
export function wrapBehind(lead: string, text: string, width: number): string[] {
  const indent = measureDisplayWidth(lead);
  const [first = "", ...rest] = wrap(text, width - indent);
  return [`${lead}${first}`, ...rest.map((line) => `${" ".repeat(indent)}${line}`)];
}
