import type { SectionOf, Tone } from "../../contract/view.ts";
import { html, type Markup, type Part } from "../../text/html.ts";
import { type Anchors, linkRuns } from "./anchors.ts";

/** The class attribute of a tone. */
export function toneClass(tone: Tone | undefined): Part {
  return tone !== undefined && html` class="tone-${tone}"`;
}

/** Text whose lines stay lines. */
export function withBreaks(text: string): Markup {
  return html`${text.split("\n").map((line, i) => (i === 0 ? line : html`<br>${line}`))}`;
}

export function drawVerdict({ answer, tone, confidence, points }: SectionOf<"verdict">): Markup {
  const sure =
    confidence !== undefined && html` <span class="sure">sure ${confidence.toFixed(2)} ${drawMeter(confidence)}</span>`;
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

/** Paragraphs; with a tone they are a notice. */
export function drawText({ text, tone }: SectionOf<"text">): Part {
  const paragraphs = text
    .split(/\n{2,}/)
    .filter((part) => part.trim() !== "")
    .map((part) => html`<p>${withBreaks(part)}</p>`);
  return tone === undefined ? paragraphs : html`<div class="notice tone-${tone}">${paragraphs}</div>`;
}

export function drawList({ items, ordered }: SectionOf<"list">): Part {
  const inside = items.map((item) => html`<li>${item}</li>`);
  return ordered ? html`<ol>${inside}</ol>` : html`<ul>${inside}</ul>`;
}
