import { escapeAttribute } from "../../../text/html.ts";
import { wrap } from "../../../text/wrap.ts";

/** A box of a picture, placed by its centre. */
export type Box = {
  key: string;
  x: number;
  y: number;
  width: number;
  height: number;
  lines: string[];
  fill: string;
  title: string;
};
/** A line between two boxes. */
export type Arrow = { from: string; to: string; label: string; color: string; dashed?: boolean; strong?: boolean };
export type Picture = { boxes: Box[]; arrows: Arrow[]; heading: string; legend: { label: string; color: string }[] };

const margin = 24;
const headingHeight = 34;

/** Draws boxes and arrows as a self-contained SVG; every box has a title for readers and pointers. */
export function drawSvg({ boxes, arrows, heading, legend }: Picture): string {
  const left = Math.min(...boxes.map(({ x, width }) => x - width / 2)) - margin;
  const top = Math.min(...boxes.map(({ y, height }) => y - height / 2)) - margin - headingHeight;
  const right = Math.max(...boxes.map(({ x, width }) => x + width / 2)) + margin;
  const bottom = Math.max(...boxes.map(({ y, height }) => y + height / 2)) + margin + (legend.length > 0 ? 26 : 0);
  const [width, height] = [Math.ceil(right - left), Math.ceil(bottom - top)];
  const placed = new Map(boxes.map((box) => [box.key, box]));
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" role="img" aria-label="${escapeAttribute(heading)}" viewBox="${Math.floor(left)} ${Math.floor(top)} ${width} ${height}" width="${width}" height="${height}" font-family="system-ui, sans-serif" font-size="12">`,
    `<defs><marker id="head" viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto"><path d="M0 0 L8 4 L0 8 z" fill="#667"/></marker></defs>`,
    `<rect x="${left}" y="${top}" width="${width}" height="${height}" fill="#fff"/>`,
    `<text x="${left + margin}" y="${top + 24}" font-size="16" font-weight="600" fill="#223">${escapeAttribute(heading)}</text>`,
    ...arrows.map((arrow) => drawArrow(arrow, placed)),
    ...boxes.map(drawBox),
    ...legend.map(({ label, color }, index) => drawLegend(label, color, left + margin + index * 110, bottom - 14)),
    "</svg>\n",
  ].join("\n");
}

function drawBox({ x, y, width, height, lines, fill, title }: Box): string {
  const first = y - ((lines.length - 1) * 15) / 2 + 4;
  const text = lines.map(
    (line, index) =>
      `<text x="${round(x)}" y="${round(first + index * 15)}" text-anchor="middle" fill="#112">${escapeAttribute(line)}</text>`,
  );
  return `<g><title>${escapeAttribute(title)}</title><rect x="${round(x - width / 2)}" y="${round(y - height / 2)}" width="${width}" height="${height}" rx="6" fill="${fill}" stroke="#889"/>${text.join("")}</g>`;
}

function drawArrow({ from, to, label, color, dashed, strong }: Arrow, placed: Map<string, Box>): string {
  const [a, b] = [placed.get(from), placed.get(to)];
  if (!a || !b) return "";
  const [start, end] = [findEdge(a, b), findEdge(b, a)];
  const bend = Math.abs(end.x - start.x) / 2;
  const sign = end.x >= start.x ? 1 : -1;
  const path = `M${round(start.x)} ${round(start.y)} C${round(start.x + sign * bend)} ${round(start.y)} ${round(end.x - sign * bend)} ${round(end.y)} ${round(end.x)} ${round(end.y)}`;
  const text =
    label === ""
      ? ""
      : `<text x="${round((start.x + end.x) / 2)}" y="${round((start.y + end.y) / 2 - 4)}" text-anchor="middle" font-size="10" fill="#445" paint-order="stroke" stroke="#fff" stroke-width="3">${escapeAttribute(label)}</text>`;
  return `<path d="${path}" fill="none" stroke="${color}" stroke-width="${strong ? 2 : 1}"${dashed ? ' stroke-dasharray="4 3"' : ""} marker-end="url(#head)"/>${text}`;
}

/** The point on the border of a box that faces another. */
function findEdge(box: Box, other: Box): { x: number; y: number } {
  const dx = other.x - box.x;
  if (Math.abs(dx) >= (box.width + other.width) / 2) return { x: box.x + (Math.sign(dx) * box.width) / 2, y: box.y };
  return { x: box.x, y: box.y + (Math.sign(other.y - box.y) * box.height) / 2 };
}

function drawLegend(label: string, color: string, x: number, y: number): string {
  return `<rect x="${round(x)}" y="${round(y - 10)}" width="12" height="12" rx="2" fill="${color}" stroke="#889"/><text x="${round(x + 17)}" y="${round(y)}" fill="#334">${escapeAttribute(label)}</text>`;
}

/** Breaks a text into at most `most` lines of a width; what does not fit is cut. */
export function breakText(text: string, width: number, most: number): string[] {
  const words = text.split(/\s+/).map((word) => cutText(word, width));
  const lines = wrap(words.join(" "), width);
  return lines.length <= most
    ? lines
    : [...lines.slice(0, most - 1), `${(lines[most - 1] ?? "").slice(0, width - 1)}…`];
}

function cutText(text: string, width: number): string {
  return text.length > width ? `${text.slice(0, width - 1)}…` : text;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
