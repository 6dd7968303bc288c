import type { Cell, Column, Section } from "./view.ts";

export function cellOf(cell: Cell | undefined): Exclude<Cell, string> {
  return cell === undefined || typeof cell === "string" ? { text: cell ?? "" } : cell;
}

export function columnOf(column: Column): Exclude<Column, string> {
  return typeof column === "string" ? { name: column } : column;
}

const listed = ["rows", "steps", "items", "findings", "points", "lanes"];

/** A section with nothing to draw, which every output leaves out. */
export function isEmpty(section: Section): boolean {
  if (section.kind === "group") return section.sections.every(isEmpty);
  if (section.kind === "verdict") return false;
  if ("text" in section) return section.text.trim() === "";
  const [parts] = Object.entries(section.kind === "chart" ? section.chart : section).filter(([key]) =>
    listed.includes(key),
  );
  return parts?.[1].length === 0;
}

export type TextBlock = { kind: "lines"; lines: string[] } | { kind: "list"; ordered: boolean; items: string[] };

/** Splits text into paragraphs and lists: an empty line ends a paragraph, `- ` and `1. ` begin an item. */
export function textBlocks(text: string): TextBlock[] {
  return text.split(/\n\s*\n/).flatMap((part) => {
    const blocks: TextBlock[] = [];
    for (const line of part.split("\n").map((one) => one.trim())) {
      if (line !== "") addLine(blocks, line);
    }
    return blocks;
  });
}

function addLine(blocks: TextBlock[], line: string): void {
  const [, mark, item] = /^(-|\d{1,3}\.) +(.+)$/.exec(line) ?? [];
  const last = blocks.at(-1);
  if (item === undefined) {
    if (last?.kind === "lines") last.lines.push(line);
    else blocks.push({ kind: "lines", lines: [line] });
    return;
  }
  const ordered = mark !== "-";
  if (last?.kind === "list" && last.ordered === ordered) last.items.push(item);
  else blocks.push({ kind: "list", ordered, items: [item] });
}
