import type { Section } from "../../contract/view.ts";
import { escapeHtml, htmlId } from "./html-escape.ts";
import { numberText } from "./html-value.ts";

/** A pack's section as HTML. */
export function sectionHtml(section: Section): string {
  const body = (bodies[section.kind] as (section: Section) => string)(section);
  return body === ""
    ? ""
    : `<section class="view-${section.kind}"><h2>${escapeHtml(section.title)}</h2>${body}</section>`;
}

type Of<K extends Section["kind"]> = Extract<Section, { kind: K }>;

const bodies: { [K in Section["kind"]]: (section: Of<K>) => string } = {
  facts: ({ rows }) =>
    rows.length === 0
      ? ""
      : `<dl class="facts">${rows.map(({ label, value, tone }) => `<dt>${escapeHtml(label)}</dt><dd${toneClass(tone)}>${escapeHtml(value)}</dd>`).join("")}</dl>`,
  text: ({ text }) =>
    text
      .split(/\n{2,}/)
      .map((part) => `<p>${escapeHtml(part).replaceAll("\n", "<br>")}</p>`)
      .join(""),
  table: ({ columns, rows }) =>
    rows.length === 0
      ? ""
      : `<div class="wide" tabindex="0"><table><thead><tr>${columns.map((column) => `<th>${escapeHtml(column)}</th>`).join("")}</tr></thead><tbody>${rows
          .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`)
          .join("")}</tbody></table></div>`,
  highlight: ({ text, marks }) => `<p class="marked">${markedHtml(text, marks)}</p>${legendHtml(marks)}`,
  lines: ({ lines }) =>
    lines.length === 0
      ? ""
      : `<div class="wide" tabindex="0"><table class="lines"><tbody>${lines
          .map(
            ({ ref, text, tone }) =>
              `<tr${toneClass(tone)}><th>${escapeHtml(ref)}</th><td>${escapeHtml(text)}</td></tr>`,
          )
          .join("")}</tbody></table></div>`,
  steps: ({ steps }) =>
    steps.length === 0
      ? ""
      : `<ol class="steps">${steps
          .map(
            ({ label, outcome, detail, numbers, tone }) =>
              `<li${toneClass(tone)}><b>${escapeHtml(label)}</b> <span class="outcome">${escapeHtml(outcome)}</span> <span class="detail">${escapeHtml(detail)}</span>${numbersHtml(numbers)}</li>`,
          )
          .join("")}</ol>`,
  cards: ({ cards }) =>
    cards.length === 0
      ? ""
      : `<div class="cards">${cards
          .map(
            ({ id, title, subtitle, body, links, tone }) =>
              `<article id="${htmlId(id)}"${toneClass(tone)}><h3>${escapeHtml(title)}</h3>${subtitle ? `<p class="subtitle">${escapeHtml(subtitle)}</p>` : ""}<p>${escapeHtml(body).replaceAll("\n", "<br>")}</p>${linksHtml(links)}</article>`,
          )
          .join("")}</div>`,
  series: ({ points }) => seriesHtml(points),
};

type Marks = Of<"highlight">["marks"];

/** The text with its marks; where marks overlap the first keeps the place. */
export function markedHtml(text: string, marks: Marks): string {
  let at = 0;
  let html = "";
  for (const { start, end, label, tone } of marks.toSorted((a, b) => a.start - b.start || b.end - a.end)) {
    if (start < at || end <= start || end > text.length) continue;
    html += escapeHtml(text.slice(at, start));
    html += `<mark${toneClass(tone)} title="${escapeHtml(label)}">${escapeHtml(text.slice(start, end))}</mark>`;
    at = end;
  }
  return html + escapeHtml(text.slice(at));
}

function legendHtml(marks: Marks): string {
  if (marks.length === 0) return "";
  const labels = new Map(marks.map(({ label, tone }) => [label, tone]));
  return `<p class="legend">${[...labels].map(([label, tone]) => `<span${toneClass(tone)}>${escapeHtml(label)}</span>`).join(" ")}</p>`;
}

function linksHtml(links: string[] | undefined): string {
  if (!links || links.length === 0) return "";
  return `<p class="links">${links.map((link) => `<a href="#${htmlId(link)}">${escapeHtml(link)}</a>`).join(" ")}</p>`;
}

function numbersHtml(numbers: Record<string, number> | undefined): string {
  const pairs = Object.entries(numbers ?? {});
  return pairs.length === 0
    ? ""
    : ` <span class="numbers">${pairs.map(([name, value]) => `<span>${escapeHtml(name)} <b>${numberText(value)}</b></span>`).join(" ")}</span>`;
}

/** A small bar chart, as plain boxes. */
function seriesHtml(points: { label: string; value: number }[]): string {
  if (points.length === 0) return "";
  const most = Math.max(...points.map((point) => Math.abs(point.value)), 1e-9);
  return `<div class="series">${points
    .map(({ label, value }) => {
      const share = Math.round((100 * Math.abs(value)) / most);
      return `<div><span>${escapeHtml(label)}</span><i style="width:${share}%"></i><b>${numberText(value)}</b></div>`;
    })
    .join("")}</div>`;
}

function toneClass(tone: string | undefined): string {
  return tone === undefined ? "" : ` class="tone-${tone}"`;
}
