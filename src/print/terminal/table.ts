import type { SectionOf } from "../../contract/view.ts";
import { measureDisplayWidth } from "../../text/display-width.ts";
import { formatTable } from "../../text/text-table.ts";
import { cellOf, cellText, columnOf } from "../cell.ts";
import { drawColumn, fill, type Page } from "./page.ts";

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

/** The lines of a row's cells side by side. */
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

/** The widest column that can still give way, the last of them. */
function widestOver(widths: number[], floor: number[]): number {
  const widest = Math.max(...widths.map((width, i) => (width > (floor[i] ?? 0) ? width : -1)));
  return widest < 0 ? -1 : widths.findLastIndex((width, i) => width === widest && width > (floor[i] ?? 0));
}

/** Each row as a block of names and values. */
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
