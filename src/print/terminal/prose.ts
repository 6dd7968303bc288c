import type { SectionOf } from "../../contract/view.ts";
import { measureDisplayWidth } from "../../text/display-width.ts";
import { textBlocks } from "../text-blocks.ts";
import { drawColumn, fill, hang, type Page } from "./page.ts";

/** Prose is easier to read in lines that are not too long, however wide the terminal is. */
const longestLine = 100;

/** The question, the answer with a dot in its tone, how sure it is, and why. */
export function drawVerdict(section: SectionOf<"verdict">, page: Page) {
  const { title, answer, tone, confidence, sure = "sure", points, note } = section;
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

/** How sure the answer is, behind its last line or under it: `sure 0.88 ▮▮▮▮▮▮▮▮▯▯` */
function withConfidence(lines: string[], sure: string, width: number): string[] {
  const last = lines.at(-1) ?? "";
  const fits = measureDisplayWidth(last) + 3 + measureDisplayWidth(sure) <= width;
  return fits ? [...lines.slice(0, -1), `${last}   ${sure}`] : [...lines, `  ${sure}`];
}

function drawMeter(confidence: number): string {
  const full = Math.min(10, Math.max(0, Math.floor(confidence * 10 + 1e-9)));
  return `${"▮".repeat(full)}${"▯".repeat(10 - full)}`;
}

export function drawFacts({ rows }: SectionOf<"facts">, page: Page): string[] {
  const { paint } = page;
  return drawColumn(
    rows.map(({ label, value, tone }) => ({ name: label, paintName: paint.dim, text: paint.tone(value, tone) })),
    page,
  );
}

/** Paragraphs and lists, with an empty line before each paragraph. */
export function drawText({ text, tone }: SectionOf<"text">, page: Page): string[] {
  const width = Math.min(page.width, longestLine);
  const lines = textBlocks(text).flatMap((block, i) => {
    if (block.kind === "list") return drawItems(block, width);
    const drawn = block.lines.flatMap((line) => fill(line, width));
    return i === 0 ? drawn : ["", ...drawn];
  });
  return lines.map((line) => page.paint.tone(line, tone));
}

export function drawList(list: SectionOf<"list">, page: Page): string[] {
  return drawItems(list, Math.min(page.width, longestLine));
}

function drawItems({ items, ordered }: { items: readonly string[]; ordered?: boolean }, width: number): string[] {
  return items.flatMap((item, i) => hang(ordered ? `${i + 1}. ` : "- ", item, width));
}

/** Lines as they are; only what is too long is cut. */
export function drawCode({ text }: SectionOf<"code">, { width, paint }: Page): string[] {
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
