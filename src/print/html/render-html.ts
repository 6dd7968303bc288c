import type { Section, SectionOf } from "../../contract/view.ts";
import { html, type Markup, type Part, trusted } from "../../text/html.ts";
import { chartTable } from "../chart-table.ts";
import { isEmpty } from "../is-empty.ts";
import { listFindings } from "../list-findings.ts";
import { type Anchors, findAnchors, sectionId } from "./anchors.ts";
import { drawCards, drawLines, drawSeries, drawSteps } from "./blocks.ts";
import { drawFigure } from "./charts/draw-figure.ts";
import { drawMarks } from "./marks.ts";
import { drawFacts, drawList, drawText, drawVerdict } from "./prose.ts";
import { drawRuns } from "./runs.ts";
import { drawTable } from "./table.ts";

export type HtmlOptions = {
  /** Turns that stand on the same page, so that cards can link to them. */
  turns?: ReadonlySet<string>;
};

/** Sections as HTML that is safe by construction: text from outside stays text. The first is the page's verdict. */
export function renderHtml(sections: readonly Section[], { turns }: HtmlOptions = {}): Markup {
  const anchors = findAnchors(sections, turns);
  return html`${sections.map((section, index) => drawSection(section, index, anchors))}`;
}

/** The sections of a page that have something to show, as links to them. */
export function listContents(sections: readonly Section[]): { id: string; title: string }[] {
  return sections.flatMap((section, index) =>
    section.title === "" || isEmpty(section) ? [] : [{ id: sectionId(section, index), title: section.title }],
  );
}

/** Where a section stands: how deep its headings are, and what it can link to. */
type Place = { level: number; anchors: Anchors };

function drawSection(section: Section, index: number, anchors: Anchors): Part {
  if (isEmpty(section)) return null;
  const body = drawBody(section, { level: 2, anchors });
  const id = sectionId(section, index);
  const named = section.title === "" ? html` id="${id}"` : html` aria-labelledby="${id}"`;
  const first = index === 0 ? " first" : "";
  return html`<section class="view-${section.kind}${first}"${named}>${section.title !== "" && html`<h2 id="${id}">${section.title}</h2>`}${drawNote(section)}${body}</section>
`;
}

/** A section inside a group: under a smaller heading, or behind its title when it is folded. */
function drawInner(section: Section, place: Place): Part {
  if (isEmpty(section)) return null;
  const inside = html`${drawNote(section)}${drawBody(section, place)}`;
  if (section.kind === "group" && section.folded)
    return html`<details class="folded"><summary>${section.title}</summary>${inside}</details>`;
  return html`<div class="part view-${section.kind}">${hasHeading(section) && drawHeading(section.title, place.level)}${inside}</div>`;
}

/** A chart has its title in its caption. */
function hasHeading({ kind, title }: Section): boolean {
  return title !== "" && kind !== "chart";
}

function drawHeading(title: string, level: number): Markup {
  const tag = trusted(`h${Math.min(6, level)}`);
  return html`<${tag}>${title}</${tag}>`;
}

function drawNote({ kind, note }: Section): Part {
  return note !== undefined && kind !== "chart" && html`<p class="note">${note}</p>`;
}

function drawBody(section: Section, place: Place): Markup {
  return html`${(bodies[section.kind] as (section: Section, place: Place) => Part)(section, place)}`;
}

const bodies: { [K in Section["kind"]]: (section: SectionOf<K>, place: Place) => Part } = {
  verdict: drawVerdict,
  facts: (section, { anchors }) => drawFacts(section, anchors),
  text: drawText,
  list: drawList,
  code: ({ text }) => text !== "" && html`<pre tabindex="0">${text.trimEnd()}</pre>`,
  table: (section, { anchors }) => drawTable(section, anchors),
  highlight: drawMarks,
  lines: drawLines,
  steps: drawSteps,
  checks: (section) => drawList({ items: listFindings(section) }),
  cards: (section, { level, anchors }) => drawCards(section, { level: level + 1, anchors }),
  series: drawSeries,
  chart: ({ chart, title, note }, { anchors }) =>
    chart.type === "frontier" || chart.type === "heatmap"
      ? drawTable({ kind: "table", title, ...chartTable(chart) }, anchors)
      : drawFigure(chart, title, note),
  runs: drawRuns,
  group: ({ sections }, { level, anchors }) =>
    html`${sections.map((section) => drawInner(section, { level: level + 1, anchors }))}`,
};
