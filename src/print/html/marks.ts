import type { SectionOf } from "../../contract/view.ts";
import { html, type Markup, type Part } from "../../text/html.ts";
import { toneClass } from "./prose.ts";

type Marks = SectionOf<"highlight">["marks"];

/** A text with its marks, and what each of them is, in words below. */
export function drawMarks({ text, marks }: SectionOf<"highlight">): Part {
  return text !== "" && html`<p class="marked">${withMarks(text, marks)}</p>${drawLegend(marks)}`;
}

/** The text with its marks; where marks overlap the first keeps the place, and impossible ones are passed over. */
export function withMarks(text: string, marks: Marks): Markup {
  const parts: Part[] = [];
  let at = 0;
  for (const { start, end, label, tone } of marks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at || end <= start || end > text.length) continue;
    parts.push(text.slice(at, start), html`<mark${toneClass(tone)} title="${label}">${text.slice(start, end)}</mark>`);
    at = end;
  }
  return html`${parts}${text.slice(at)}`;
}

function drawLegend(marks: Marks): Part {
  if (marks.length === 0) return null;
  const labels = new Map(marks.map(({ label, tone }) => [label, tone]));
  return html`<p class="legend">${[...labels].map(([label, tone], i) => html`${i > 0 && " "}<span${toneClass(tone)}>${label}</span>`)}</p>`;
}
