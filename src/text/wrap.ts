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

/** Wraps a line of a list or an indented block; what follows is indented under the text of the first line. */
export function wrapLine(line: string, width: number): string[] {
  if (measureDisplayWidth(line) <= width || /^[=─]+$/.test(line)) return [line];
  const lead = /^\s*(?:- |\d+\. )?/.exec(line)?.[0] ?? "";
  const hanging = " ".repeat(Math.min(measureDisplayWidth(lead) + (lead.trim() === "" ? 2 : 0), Math.floor(width / 2)));
  const text = line.slice(lead.length).trim().normalize();
  const [first = ""] = breakHard(text, width - measureDisplayWidth(lead));
  /** A break inside colours closes them, so the first line is not the beginning of the text as it is. */
  const begins = text.startsWith(first);
  const rest = breakHard(begins ? text.slice(first.length).trim() : text, width - hanging.length);
  return begins
    ? [lead + first, ...rest.map((one) => hanging + one)]
    : rest.map((one, at) => (at === 0 ? lead : hanging) + one);
}

/** Breaks a text at spaces, and a word that is longer than a line anywhere. */
function breakHard(text: string, width: number): string[] {
  return wrapAnsi(text, Math.max(1, width), { hard: true }).split("\n");
}
