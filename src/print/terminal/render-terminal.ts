import type { Section, SectionOf, Tone } from "../../contract/view.ts";
import { measureDisplayWidth, padTo, formatTable, wrap, wrapColoured } from "../../text/layout.ts";
import { makePrintable } from "../../text/format.ts";
import { cellOf, columnOf, isEmpty, textBlocks } from "../../contract/section-parts.ts";
import { cellText, chartTable, listFindings } from "../section-parts.ts";

type TerminalStyle = { width: number; color: boolean };

const narrowest = 40;

/** Sections as terminal text, ending with a newline; anything that would control the terminal loses its colours. */
export function renderTerminal(sections: readonly Section[], { width, color }: TerminalStyle): string {
  const draw = (painted: boolean): string => {
    const lines = drawSections(sections, { width: Math.max(narrowest, width), paint: createPaint(painted) });
    return lines.length === 0 ? "" : `${lines.join("\n")}\n`;
  };
  const plain = draw(false);
  const shown = makePrintable(plain);
  return color && shown === plain ? draw(true) : shown;
}

function drawSections(sections: readonly Section[], page: Page): string[] {
  return sections
    .map((section) => drawSection(section, page))
    .filter((lines) => lines.length > 0)
    .flatMap((lines, i) => (i === 0 ? lines : ["", ...lines]));
}

function drawSection(section: Section, page: Page): string[] {
  const inside = { ...page, width: page.width - indent.length };
  if (section.detail || isEmpty(section)) return [];
  if (section.kind === "verdict") return drawVerdict(section, page);
  const body = (drawings[section.kind] as (section: Section, page: Page) => string[])(section, inside);
  const note = section.note === undefined ? [] : fill(section.note, inside.width).map(page.paint.dim);
  if (body.length === 0) return [];
  const title = fill(section.title, page.width).map(page.paint.bold);
  const gap = section.kind === "group" && title.length > 0 ? [""] : [];
  return [...title, ...gap, ...[...body, ...note].map((line) => (line === "" ? "" : `${indent}${line}`))];
}

const indent = "  ";

const drawings: { [K in Exclude<Section["kind"], "verdict">]: (section: SectionOf<K>, page: Page) => string[] } = {
  facts: drawFacts,
  text: drawText,
  list: drawList,
  code: drawCode,
  table: drawTable,
  highlight: drawMarks,
  steps: drawSteps,
  checks: (section, page) => drawList({ kind: "list", title: "", items: listFindings(section) }, page),
  chart: drawChart,
  group: ({ sections }, page) => drawSections(sections, page),
};

const longestLine = 100;

function drawVerdict(section: SectionOf<"verdict">, page: Page) {
  const { title, answer, tone, confidence, sure = "confidence", points, note } = section;
  const { paint } = page;
  const width = Math.min(page.width, longestLine);
  const question = fill(title, width).map(paint.bold);
  const says = hang("● ", answer, width).map((line) => paint.bold(paint.tone(line, tone)));
  return [
    ...question,
    ...(question.length > 0 ? [""] : []),
    ...(confidence === undefined
      ? says
      : withConfidence(says, `${sure} ${confidence.toFixed(2)} ${drawMeter(confidence)}`, width)),
    ...points.flatMap((point) => hang("  · ", point, width)),
    ...(note === undefined ? [] : hang("  ", note, width).map(paint.dim)),
  ];
}

function withConfidence(lines: string[], sure: string, width: number): string[] {
  const last = lines.at(-1) ?? "";
  const fits = measureDisplayWidth(last) + 3 + measureDisplayWidth(sure) <= width;
  return fits ? [...lines.slice(0, -1), `${last}   ${sure}`] : [...lines, `  ${sure}`];
}

function drawMeter(confidence: number): string {
  const full = Math.min(10, Math.max(0, Math.floor(confidence * 10 + 1e-9)));
  return `${"▮".repeat(full)}${"▯".repeat(10 - full)}`;
}

function drawFacts({ rows }: SectionOf<"facts">, page: Page): string[] {
  const { paint } = page;
  return drawColumn(
    rows.map(({ label, value, tone }) => ({ name: label, paintName: paint.dim, text: paint.tone(value, tone) })),
    page,
  );
}

function drawText({ text, tone }: SectionOf<"text">, page: Page): string[] {
  const width = Math.min(page.width, longestLine);
  const lines = textBlocks(text).flatMap((block, i) => {
    if (block.kind === "list") return drawItems(block, width);
    const drawn = block.lines.flatMap((line) => fill(line, width));
    return i === 0 ? drawn : ["", ...drawn];
  });
  return lines.map((line) => page.paint.tone(line, tone));
}

function drawList(list: SectionOf<"list">, page: Page): string[] {
  return drawItems(list, Math.min(page.width, longestLine));
}

function drawItems({ items, ordered }: { items: readonly string[]; ordered?: boolean }, width: number): string[] {
  return items.flatMap((item, i) => hang(ordered ? `${i + 1}. ` : "- ", item, width));
}

function drawCode({ text }: SectionOf<"code">, { width, paint }: Page): string[] {
  return text
    .trimEnd()
    .split("\n")
    .flatMap((line) => cut(line.replaceAll("\t", "  "), width))
    .map(paint.dim);
}

function cut(line: string, width: number): string[] {
  const indent = /^ */.exec(line)?.[0] ?? "";
  return line.trim() === "" ? [""] : hang(indent.slice(0, width / 2), line.trim(), width);
}

function drawSteps({ steps }: SectionOf<"steps">, page: Page): string[] {
  const { paint } = page;
  const rows = steps.flatMap(({ label, outcome, detail, tone }) => {
    const [first = "", ...rest] = [paint.tone(outcome, tone), paint.dim(detail)].filter((text) => text !== "");
    return [{ name: label, text: first }, ...rest.map((text) => ({ name: "", text }))];
  });
  return drawColumn(rows, page);
}

type Marks = SectionOf<"highlight">["marks"];

const signs = { good: "+", bad: "-", neutral: "=", warn: "!" };

/** Text with its marks underlined: "^" under a subject, "+", "-", "=" or "!" under evidence, by tone. */
function drawMarks({ text, marks }: SectionOf<"highlight">, { width, paint }: Page): string[] {
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

export type Page = { width: number; paint: Paint };

export function fill(text: string, width: number): string[] {
  const room = Math.max(1, width);
  return wrap(text, room).flatMap((line) =>
    measureDisplayWidth(line) <= room ? [line] : wrapColoured(line, room, { hard: true }),
  );
}

export function hang(lead: string, text: string, width: number): string[] {
  const indent = measureDisplayWidth(lead);
  const lines = fill(text, width - indent);
  return lines.length === 0
    ? [lead.trimEnd()]
    : lines.map((line, i) => `${i === 0 ? lead : " ".repeat(indent)}${line}`);
}

export function drawColumn(
  rows: readonly { name: string; paintName?(text: string): string; text: string }[],
  { width }: Page,
): string[] {
  const widest = Math.min(28, Math.floor(width / 3));
  const column = Math.max(0, ...rows.map(({ name }) => measureDisplayWidth(name)).filter((wide) => wide <= widest));
  const space = column === 0 ? "" : " ".repeat(column + 2);
  return rows.flatMap(({ name, paintName = String, text }) => {
    const fits = measureDisplayWidth(name) <= widest;
    if (fits) return hang(column === 0 ? "" : `${paintName(padTo(name, column))}  `, text, width);
    const under = fill(text, width - space.length).map((line) => `${space}${line}`);
    return [...fill(name, width).map(paintName), ...under];
  });
}

type Paint = {
  bold(text: string): string;
  dim(text: string): string;
  underline(text: string): string;
  /** Neutral text keeps the terminal's colour. */
  tone(text: string, tone: Tone | undefined): string;
};

const codes = { good: 32, bad: 31, warn: 33 };

export function createPaint(color: boolean): Paint {
  const wrap = (open: number, close: number) => (text: string) =>
    color && text !== "" ? `\u001B[${open}m${text}\u001B[${close}m` : text;
  return {
    bold: wrap(1, 22),
    dim: wrap(2, 22),
    underline: wrap(4, 24),
    tone: (text, tone = "neutral") => (tone === "neutral" ? text : wrap(codes[tone], 39)(text)),
  };
}

const gap = 2;
const narrowestColumn = 8;

/** A table in aligned columns; too wide, its texts are wrapped; still too wide, each row is a block. */
export function drawTable({ columns, rows }: SectionOf<"table">, page: Page): string[] {
  const { paint } = page;
  const heads = columns.map(columnOf);
  const texts = rows.map((row) => heads.map((_, i) => cellText(row[i])));
  const wishes = heads.map(({ name, numeric }, i) =>
    widthWish(
      name,
      texts.map((row) => row[i] ?? ""),
      numeric ?? false,
    ),
  );
  const widths = fitWidths(wishes, page.width - gap * (heads.length - 1));
  if (widths === null) return drawBlocks({ columns, rows }, page);
  const wrapped = texts.map((row, r) =>
    row.map((text, i) => fill(text, widths[i] ?? 1).map((line) => paint.tone(line, cellOf(rows[r]?.[i]).tone))),
  );
  const names = heads.map(({ name }, i) => fill(name, widths[i] ?? 1).map(paint.dim));
  const right = new Set(heads.flatMap(({ numeric }, i) => (numeric ? [i] : [])));
  const headed = heads.every(({ name }) => name === "") ? [] : physicalRows(names);
  return formatTable([...headed, ...wrapped.flatMap(physicalRows)], right);
}

/** The preferred width of a column, and the least without breaking words; numbers are never broken. */
type Wish = { natural: number; least: number };

function widthWish(name: string, cells: string[], numeric: boolean): Wish {
  const widest = (texts: string[]): number => Math.max(0, ...texts.map(measureDisplayWidth));
  const longestWord = (texts: string[]): number => widest(texts.flatMap((text) => text.split(/\s+/)));
  const natural = Math.max(measureDisplayWidth(name), widest(cells));
  return { natural, least: Math.max(longestWord([name]), numeric ? widest(cells) : longestWord(cells)) };
}

function physicalRows(cells: string[][]): string[][] {
  const height = Math.max(1, ...cells.map((lines) => lines.length));
  return Array.from({ length: height }, (_, line) => cells.map((lines) => lines[line] ?? ""));
}

/** Fits widths: wraps headings and texts first, then cuts words; null with too many columns. */
function fitWidths(wishes: Wish[], room: number): number[] | null {
  const widths = wishes.map(({ natural }) => natural);
  const floors = [wishes.map(({ least }) => least), wishes.map(() => narrowestColumn)];
  for (const floor of floors)
    while (widths.reduce((sum, width) => sum + width, 0) > room) {
      const at = widestOver(widths, floor);
      if (at < 0) break;
      widths[at] = (widths[at] ?? 0) - 1;
    }
  return widths.reduce((sum, width) => sum + width, 0) > room ? null : widths;
}

function widestOver(widths: number[], floor: number[]): number {
  const widest = Math.max(...widths.map((width, i) => (width > (floor[i] ?? 0) ? width : -1)));
  return widest < 0 ? -1 : widths.findLastIndex((width, i) => width === widest && width > (floor[i] ?? 0));
}

function drawBlocks({ columns, rows }: Pick<SectionOf<"table">, "columns" | "rows">, page: Page): string[] {
  const { paint } = page;
  return rows.flatMap((row, r) => {
    const [, ...rest] = columns.map(columnOf);
    const values = rest.map(({ name }, i) => ({
      name,
      paintName: paint.dim,
      text: paint.tone(cellText(row[i + 1]), cellOf(row[i + 1]).tone),
    }));
    const body = drawColumn(values, { ...page, width: page.width - gap }).map((line) => `  ${line}`);
    return [...(r === 0 ? [] : [""]), ...fill(cellText(row[0]), page.width).map(paint.bold), ...body];
  });
}

export function drawChart({ chart, repeats }: SectionOf<"chart">, page: Page): string[] {
  return repeats ? [] : drawTable({ ...chartTable(chart), kind: "table", title: "" }, page);
}
