import { displayWidth } from "../../../text/display-width.ts";
import type { Mark } from "./evidence-marks.ts";
import type { Paint } from "../../../print/paint.ts";

const signs = { good: "+", bad: "-", neutral: "=", warn: "!" };

/** The text in lines of a width, each with its marks underlined: "^" under an aspect, "+", "-" or "=" under its evidence. */
export function underlineMarks(text: string, marks: readonly Mark[], width: number, paint: Paint): string[] {
  return breakLines(text, width).flatMap(({ start, end }) => {
    let words = "";
    let under = "";
    for (const { character, at } of listCharacters(text, start, end)) {
      const mark = marks.find((one) => at >= one.start && at < one.end);
      const shown = /\s/.test(character) ? " " : character;
      words += mark
        ? paint.tone(mark.kind === "evidence" ? paint.underline(shown) : paint.bold(shown), mark.tone)
        : shown;
      const sign = mark ? (mark.kind === "aspect" ? "^" : signs[mark.tone]) : " ";
      under += sign.repeat(displayWidth(character));
    }
    return under.trim() === "" ? [words] : [words, under.trimEnd()];
  });
}

function breakLines(text: string, width: number): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  let used = 0;
  let lastBreak = -1;
  for (const { character, at } of listCharacters(text, 0, text.length)) {
    if (character === "\n" || used + displayWidth(character) > width) {
      const end = character === "\n" || lastBreak <= start ? at : lastBreak;
      lines.push({ start, end });
      start = end + (/\s/.test(text.charAt(end)) ? 1 : 0);
      used = displayWidth(text.slice(start, at));
      lastBreak = -1;
      if (character === "\n") continue;
    }
    if (/\s/.test(character)) lastBreak = at;
    used += displayWidth(character);
  }
  return [...lines, { start, end: text.length }].filter((line) => line.end > line.start);
}

function* listCharacters(text: string, start: number, end: number): Generator<{ character: string; at: number }> {
  let at = start;
  for (const character of text.slice(start, end)) {
    yield { character, at };
    at += character.length;
  }
}
