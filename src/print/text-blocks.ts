/** A part of a text: lines that stay lines, or the items of a list. */
export type TextBlock = { kind: "lines"; lines: string[] } | { kind: "list"; ordered: boolean; items: string[] };

/** A text as paragraphs and lists: an empty line ends a paragraph, `- ` and `1. ` begin an item. */
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
