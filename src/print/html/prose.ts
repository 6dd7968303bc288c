import type { SectionOf, Tone } from "../../contract/view.ts";
import { html, type Markup, type Part } from "../../text/html.ts";
import { textBlocks } from "../text-blocks.ts";
import { type Anchors, linkRuns } from "./anchors.ts";

/** The class attribute of a tone. */
export function toneClass(tone: Tone | undefined): Part {
  return tone !== undefined && html` class="tone-${tone}"`;
}

/** Lines that stay lines. */
export function withBreaks(lines: readonly string[]): Markup {
  return html`${lines.map((line, i) => (i === 0 ? line : html`<br>${line}`))}`;
}

export function drawVerdict({ answer, tone, confidence, sure: word = "sure", points }: SectionOf<"verdict">): Markup {
  const sure =
    confidence !== undefined &&
    html` <span class="sure">${word} ${confidence.toFixed(2)} ${drawMeter(confidence)}</span>`;
  return html`<p class="answer tone-${tone}">${answer}${sure}</p>${points.length > 0 && html`<ul>${points.map((point) => html`<li>${point}</li>`)}</ul>`}`;
}

function drawMeter(confidence: number): Markup {
  const share = Math.round(100 * Math.min(1, Math.max(0, confidence)));
  return html`<i class="meter" aria-hidden="true"><u style="width:${share}%"></u></i>`;
}

/** From how many facts on short ones stand in columns. */
const manyFacts = 6;
const shortFact = 12;

export function drawFacts({ rows }: SectionOf<"facts">, anchors: Anchors): Part {
  const items = rows.map(
    ({ label, value, tone, runs }) =>
      html`<dt>${label}</dt><dd${toneClass(tone)}>${linkRuns(value, runs, anchors)}</dd>`,
  );
  const isShort = rows.length >= manyFacts && rows.every(({ value }) => value.length <= shortFact);
  if (isShort) return html`<dl class="facts short">${items.map((item) => html`<div>${item}</div>`)}</dl>`;
  return html`<dl class="facts">${items}</dl>`;
}

/** Paragraphs and lists; with a tone they are a notice. */
export function drawText({ text, tone }: SectionOf<"text">): Part {
  const blocks = textBlocks(text).map((block) =>
    block.kind === "list" ? drawList(block) : html`<p>${withBreaks(block.lines)}</p>`,
  );
  return tone === undefined ? blocks : html`<div class="notice tone-${tone}">${blocks}</div>`;
}

export function drawList({ items, ordered }: Pick<SectionOf<"list">, "items" | "ordered">): Part {
  const inside = items.map((item) => html`<li>${item}</li>`);
  return ordered ? html`<ol>${inside}</ol>` : html`<ul>${inside}</ul>`;
}
