import type { Group } from "../../../contract/chart.ts";
import { escapeAttribute, html, type Markup, type Part, trusted } from "../../../text/html.ts";
import { measureDisplayWidth } from "../../../text/display-width.ts";

/** Where something stands, in pixels of the picture. */
export type Point = { x: number; y: number };

/** A picture; what it shows is said by the figure around it. */
export function drawSvg(width: number, height: number, inside: Part): Markup {
  return html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" aria-hidden="true">${inside}</svg>`;
}

export function drawLine(from: Point, to: Point, kind: string): Markup {
  return html`<line class="${kind}" x1="${at(from.x)}" y1="${at(from.y)}" x2="${at(to.x)}" y2="${at(to.y)}"/>`;
}

type Anchor = "start" | "middle" | "end";

/** Words in a picture; `y` is the middle of the letters. */
export function drawWords({ x, y }: Point, words: string, kind: string, anchor: Anchor = "middle"): Markup {
  return html`<text class="${kind}" x="${at(x)}" y="${at(y + 4)}" text-anchor="${anchor}">${cleanWords(words)}</text>`;
}

/** Words along the left axis, from below to above. */
export function drawUpright({ x, y }: Point, words: string): Markup {
  return html`<text class="axis" transform="translate(${at(x)} ${at(y)}) rotate(-90)" text-anchor="middle">${cleanWords(words)}</text>`;
}

/** Words without control characters: what would show them is an element that ends a picture. */
function cleanWords(words: string): Markup {
  return trusted(escapeAttribute(words));
}

/** A line through points; with `steps` it goes sideways before it goes up or down. */
export function drawPath(points: readonly Point[], kind: string, steps = false): Markup {
  const parts = points.map(({ x, y }, i) =>
    i === 0 ? `M${at(x)} ${at(y)}` : steps ? `H${at(x)}V${at(y)}` : `L${at(x)} ${at(y)}`,
  );
  return html`<path class="${kind}" d="${parts.join("")}"/>`;
}

/** An arm's mark, told apart by shape as well as by colour: a full dot, a ring for controls, a diamond for other arms. */
export function drawMark({ x, y }: Point, group: Group): Markup {
  if (group === "arm") return html`<path class="dot" d="M${at(x)} ${at(y - 6)}l6 6l-6 6l-6 -6z"/>`;
  return html`<circle class="${group === "control" ? "ring" : "dot"}" cx="${at(x)}" cy="${at(y)}" r="5"/>`;
}

/** A name cut to the columns there are. */
export function cutName(name: string, columns: number): string {
  if (measureDisplayWidth(name) <= columns) return name;
  let cut = "";
  for (const character of name) {
    if (measureDisplayWidth(cut + character) > columns - 1) break;
    cut += character;
  }
  return `${cut}…`;
}

/** A share as per cent without decimals; never a negative zero. */
export function percentText(share: number): string {
  const rounded = Math.round(share * 100);
  return `${rounded < 0 ? "−" : ""}${Math.abs(rounded)}`;
}

function at(value: number): string {
  return String(Math.round(value * 10) / 10);
}
