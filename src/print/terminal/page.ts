import { measureDisplayWidth, padTo } from "../../text/display-width.ts";
import { wrap, wrapColoured } from "../../text/wrap.ts";
import type { Paint } from "../paint.ts";

/** What is drawn on: so many columns, with these colours. */
export type Page = { width: number; paint: Paint };

/** Text as lines that are never wider than they may be: broken at spaces, and a word that fits nowhere is cut. */
export function fill(text: string, width: number): string[] {
  const room = Math.max(1, width);
  return wrap(text, room).flatMap((line) =>
    measureDisplayWidth(line) <= room ? [line] : wrapColoured(line, room, { hard: true }),
  );
}

/** Text behind a lead; the lines after the first are indented as far as the lead is wide. */
export function hang(lead: string, text: string, width: number): string[] {
  const indent = measureDisplayWidth(lead);
  const lines = fill(text, width - indent);
  return lines.length === 0
    ? [lead.trimEnd()]
    : lines.map((line, i) => `${i === 0 ? lead : " ".repeat(indent)}${line}`);
}

/** Names with texts beside them, in a column as wide as the names need; a name that is too long stands on a line of its own. */
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
