import type { SectionOf } from "../../contract/view.ts";
import { measureDisplayWidth } from "../../text/display-width.ts";
import type { Page } from "./page.ts";

type Marks = SectionOf<"highlight">["marks"];

const signs = { good: "+", bad: "-", neutral: "=", warn: "!" };

/** The text in lines, each with its marks underlined: "^" under a subject, "+", "-", "=" or "!" under evidence, by its tone. */
export function drawMarks({ text, marks }: SectionOf<"highlight">, { width, paint }: Page): string[] {
  return linesOf(text, width).flatMap(({ start, end }) => {
    let words = "";
    let under = "";
    for (const { character, at } of charactersOf(text, start, end)) {
      const mark = markAt(marks, at);
      const shown = shownAs(character);
      words += mark
        ? paint.tone(mark.kind === "subject" ? paint.bold(shown) : paint.underline(shown), mark.tone)
        : shown;
      const sign = mark ? (mark.kind === "subject" ? "^" : signs[mark.tone ?? "neutral"]) : " ";
      under += sign.repeat(measureDisplayWidth(shown));
    }
    return under.trim() === "" ? [words] : [words, under.trimEnd()];
  });
}

function markAt(marks: Marks, at: number): Marks[number] | undefined {
  return marks.find((one) => at >= one.start && at < one.end);
}

function linesOf(text: string, width: number): { start: number; end: number }[] {
  const lines: { start: number; end: number }[] = [];
  let start = 0;
  let used = 0;
  let lastBreak = -1;
  for (const { character, at } of charactersOf(text, 0, text.length)) {
    const wide = measureDisplayWidth(shownAs(character));
    if (character === "\n" || used + wide > width) {
      const end = character === "\n" || lastBreak <= start ? at : lastBreak;
      lines.push({ start, end });
      start = end + (/\s/.test(text.charAt(end)) ? 1 : 0);
      used = measureDisplayWidth(text.slice(start, at).replaceAll(/\s/g, " "));
      lastBreak = -1;
      if (character === "\n") continue;
    }
    if (/\s/.test(character)) lastBreak = at;
    used += wide;
  }
  return [...lines, { start, end: text.length }].filter((line) => line.end > line.start);
}

function shownAs(character: string): string {
  return /\s/.test(character) ? " " : character;
}

function* charactersOf(text: string, start: number, end: number): Generator<{ character: string; at: number }> {
  let at = start;
  for (const character of text.slice(start, end)) {
    yield { character, at };
    at += character.length;
  }
}
