import type { SectionOf } from "../../contract/view.ts";
import { html, type Markup, type Part, trusted } from "../../text/html.ts";
import { formatNumber } from "../../text/number-text.ts";
import { fullScale } from "../../text/sparkline.ts";
import { type Anchors, linkName } from "./anchors.ts";
import { htmlId } from "./html-id.ts";
import { toneClass, withBreaks } from "./prose.ts";

/** From how many entries on a list of lines is folded. */
const manyLines = 12;
const longestLogRef = 48;

export function drawLines({ lines }: SectionOf<"lines">): Part {
  const isLog = lines.every(({ ref }) => ref.length <= longestLogRef);
  const rows = lines.map(({ ref, text, tone }) => html`<div${toneClass(tone)}><dt>${ref}</dt><dd>${text}</dd></div>`);
  const list = html`<dl class="lines${isLog ? " log" : ""}">${rows}</dl>`;
  return lines.length > manyLines ? foldAway(list, `${lines.length} entries`) : list;
}

/** What is long is folded away behind its count; printed, it is open. */
function foldAway(inside: Markup, summary: string): Markup {
  return html`<details class="folded"><summary>${summary}</summary>${inside}</details>`;
}

export function drawSteps({ steps }: SectionOf<"steps">): Part {
  const items = steps.map(
    ({ label, outcome, detail, numbers, tone }) =>
      html`<li${toneClass(tone)}><b>${label}</b> <span class="outcome">${outcome}</span> <span class="detail">${detail}</span>${drawNumbers(numbers)}</li>`,
  );
  return html`<ol class="steps">${items}</ol>`;
}

function drawNumbers(numbers: Record<string, number> | undefined): Part {
  const pairs = Object.entries(numbers ?? {});
  if (pairs.length === 0) return null;
  const items = pairs.map(
    ([name, value]) => html`<span>${name.replaceAll("_", " ")} <b>${formatNumber(value)}</b></span> `,
  );
  return html` <span class="numbers">${items}</span>`;
}

const longCards = 4_000;

/** Cards with what they refer to; where they are long, each opens on its own. */
export function drawCards({ cards }: SectionOf<"cards">, place: { level: number; anchors: Anchors }): Part {
  const tag = trusted(`h${Math.min(6, place.level)}`);
  const isLong = cards.reduce((sum, { body }) => sum + body.length, 0) > longCards;
  const items = cards.map(({ id, title, subtitle, body, links, tone }) => {
    const head = html`<${tag}>${title}</${tag}>${subtitle && html`<p class="subtitle">${subtitle}</p>`}`;
    const text = html`<p>${withBreaks(body.split("\n"))}</p>`;
    const inside = isLong ? html`<details><summary>${head}</summary>${text}</details>` : html`${head}${text}`;
    return html`<article id="${htmlId("card", id)}"${toneClass(tone)}>${inside}${drawLinks(links, place.anchors)}</article>`;
  });
  return html`<div class="cards${isLong ? " long" : ""}">${items}</div>`;
}

function drawLinks(links: string[] | undefined, anchors: Anchors): Part {
  if (links === undefined || links.length === 0) return null;
  const parts = links.map((link, i) => html`${i > 0 && " "}${linkName(link, anchors)}`);
  return html`<p class="links">→ ${parts}</p>`;
}

/** A small bar chart, as plain boxes. */
export function drawSeries({ points }: SectionOf<"series">): Part {
  const full = fullScale(points.map(({ value }) => value));
  const rows = points.map(({ label, value }) => {
    const share = Math.round((100 * Math.abs(value)) / full);
    return html`<div><span>${label}</span><i><u style="width:${share}%"></u></i><b>${formatNumber(value)}</b></div>`;
  });
  return html`<div class="series">${rows}</div>`;
}
