import type { Section } from "../../contract/view.ts";
import { escapeAttribute, escapeHtml, htmlId } from "../../text/html-escape.ts";
import { markedHtml, toneClass } from "./html-marks.ts";
import { numberText } from "./html-value.ts";

/** What a page knows of itself while its sections are written: which names can be linked to. */
export type Anchors = { cards: ReadonlySet<string>; turns: ReadonlySet<string> };

/** A pack's section as HTML; the first one is the page's verdict. */
export function sectionHtml(section: Section, index: number, anchors: Anchors): string {
  const body = (bodies[section.kind] as (section: Section, anchors: Anchors) => string)(section, anchors);
  const verdict = index === 0 ? " verdict" : "";
  const id = sectionId(index);
  return body === ""
    ? ""
    : `<section class="view-${section.kind}${verdict}" aria-labelledby="${id}"><h2 id="${id}">${escapeHtml(section.title)}</h2>${body}</section>`;
}

/** The id of a section's heading. */
export function sectionId(index: number): string {
  return htmlId("section", String(index + 1));
}

type Of<K extends Section["kind"]> = Extract<Section, { kind: K }>;

const bodies: { [K in Section["kind"]]: (section: Of<K>, anchors: Anchors) => string } = {
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
      : `<div class="wide" tabindex="0"><table><thead><tr>${columns.map((column) => `<th scope="col">${escapeHtml(column)}</th>`).join("")}</tr></thead><tbody>${rows
          .map((row) => `<tr>${row.map((cell) => `<td>${escapeHtml(cell)}</td>`).join("")}</tr>`)
          .join("")}</tbody></table></div>`,
  highlight: ({ text, marks }) => markedHtml(text, marks),
  lines: ({ lines }) => folded(linesHtml(lines), lines.length > 12, `${lines.length} entries`),
  steps: ({ steps }) =>
    steps.length === 0
      ? ""
      : `<ol class="steps">${steps
          .map(
            ({ label, outcome, detail, numbers, tone }) =>
              `<li${toneClass(tone)}><b>${escapeHtml(label)}</b> <span class="outcome">${escapeHtml(outcome)}</span> <span class="detail">${escapeHtml(detail)}</span>${numbersHtml(numbers)}</li>`,
          )
          .join("")}</ol>`,
  cards: ({ cards }, anchors) => cardsHtml(cards, anchors),
  series: ({ points }) => seriesHtml(points),
};

/** What is long is folded away behind its count; printed, it is open. */
export function folded(html: string, isLong: boolean, summary: string): string {
  return isLong ? `<details class="folded"><summary>${escapeHtml(summary)}</summary>${html}</details>` : html;
}

function linesHtml(lines: Of<"lines">["lines"]): string {
  if (lines.length === 0) return "";
  const isLog = lines.every(({ ref }) => ref.length <= 48);
  const rows = lines.map(
    ({ ref, text, tone }) => `<div${toneClass(tone)}><dt>${escapeHtml(ref)}</dt><dd>${escapeHtml(text)}</dd></div>`,
  );
  return `<dl class="lines${isLog ? " log" : ""}">${rows.join("")}</dl>`;
}

const longCards = 4_000;

/** Cards with what they refer to; where they are long, each opens on its own. */
function cardsHtml(cards: Of<"cards">["cards"], anchors: Anchors): string {
  if (cards.length === 0) return "";
  const isLong = cards.reduce((sum, { body }) => sum + body.length, 0) > longCards;
  const items = cards.map(({ id, title, subtitle, body, links, tone }) => {
    const head = `<h3>${escapeHtml(title)}</h3>${subtitle ? `<p class="subtitle">${escapeHtml(subtitle)}</p>` : ""}`;
    const text = `<p>${escapeHtml(body).replaceAll("\n", "<br>")}</p>`;
    const inside = isLong ? `<details><summary>${head}</summary>${text}</details>` : `${head}${text}`;
    return `<article id="${escapeAttribute(htmlId("card", id))}"${toneClass(tone)}>${inside}${linksHtml(links, anchors)}</article>`;
  });
  return `<div class="cards${isLong ? " long" : ""}">${items.join("")}</div>`;
}

/** Links to cards and turns of this page; what is not on it is only named. */
function linksHtml(links: string[] | undefined, { cards, turns }: Anchors): string {
  if (!links || links.length === 0) return "";
  const parts = links.map((link) => {
    const kind = cards.has(link) ? "card" : turns.has(link) ? "turn" : null;
    const text = escapeHtml(link);
    return kind === null ? `<span>${text}</span>` : `<a href="#${escapeAttribute(htmlId(kind, link))}">${text}</a>`;
  });
  return `<p class="links">→ ${parts.join(" ")}</p>`;
}

function numbersHtml(numbers: Record<string, number> | undefined): string {
  const pairs = Object.entries(numbers ?? {});
  return pairs.length === 0
    ? ""
    : ` <span class="numbers">${pairs.map(([name, value]) => `<span>${escapeHtml(name.replaceAll("_", " "))} <b>${numberText(value)}</b></span>`).join(" ")}</span>`;
}

/** A small bar chart, as plain boxes: shares against 1, points against 100, anything else against the greatest. */
function seriesHtml(points: { label: string; value: number }[]): string {
  if (points.length === 0) return "";
  const most = Math.max(...points.map((point) => Math.abs(point.value)));
  const full = most <= 1 ? 1 : most <= 100 ? 100 : most;
  return `<div class="series">${points
    .map(({ label, value }) => {
      const share = Math.round((100 * Math.abs(value)) / full);
      return `<div><span>${escapeHtml(label)}</span><i><u style="width:${share}%"></u></i><b>${numberText(value)}</b></div>`;
    })
    .join("")}</div>`;
}
