import type { Section, Tone } from "../../contract/view.ts";
import { escapeAttribute, escapeHtml } from "../../text/html-escape.ts";

type Marks = Extract<Section, { kind: "highlight" }>["marks"];

/** A text with its marks, and what each of them is, in words below. */
export function markedHtml(text: string, marks: Marks): string {
  return `<p class="marked">${withMarks(text, marks)}</p>${legendHtml(marks)}`;
}

/** The text with its marks; where marks overlap the first keeps the place. */
export function withMarks(text: string, marks: Marks): string {
  let at = 0;
  let html = "";
  for (const { start, end, label, tone } of marks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at || end <= start || end > text.length) continue;
    html += escapeHtml(text.slice(at, start));
    html += `<mark${toneClass(tone)} title="${escapeAttribute(label)}">${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escapeHtml(text.slice(at));
}

function legendHtml(marks: Marks): string {
  if (marks.length === 0) return "";
  const labels = new Map(marks.map(({ label, tone }) => [label, tone]));
  return `<p class="legend">${[...labels].map(([label, tone]) => `<span${toneClass(tone)}>${escapeHtml(label)}</span>`).join(" ")}</p>`;
}

/** The class of a tone. */
export function toneClass(tone: Tone | undefined): string {
  return tone === undefined ? "" : ` class="tone-${tone}"`;
}
