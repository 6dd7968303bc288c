import type { SectionOf, Tone } from "../../contract/view.ts";
import { formatTable, measureDisplayWidth, padTo, wrap, wrapColoured } from "../../text/layout.ts";
import { cellOf, cellText, chartTable, columnOf } from "../section-parts.ts";

export type Page = { width: number; paint: Paint };

/** Text as lines that are never wider than they may be: broken at spaces, and a word that fits nowhere is cut. */
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
  rows: readonly { name: string; paintName(text: string): string; text: string }[],
  { width }: Page,
): string[] {
  const widest = Math.min(28, Math.floor(width / 3));
  const column = Math.max(0, ...rows.map(({ name }) => measureDisplayWidth(name)).filter((wide) => wide <= widest));
  const space = column === 0 ? "" : " ".repeat(column + 2);
  return rows.flatMap(({ name, paintName, text }) => {
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
  /** Text in its tone; what is neutral or has none keeps the colour of the terminal. */
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

/** A table in aligned columns; where it is too wide its texts are wrapped, and where even that is too wide each row is a block. */
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

/** How wide a column would like to be, and how narrow it can be with its words whole; numbers are never broken. */
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

/** Widths that fit: first headings and texts are wrapped, then words are cut; null when there are too many columns for that. */
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
