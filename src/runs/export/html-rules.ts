import type { Note } from "../../contract/result.ts";
import { leverText, nothingWouldChange, type WhatWouldChange } from "../what-would-change.ts";
import { gist } from "./export-page.ts";
import { escapeHtml, htmlId } from "../../text/html-escape.ts";
import { valueHtml } from "./html-value.ts";

/** What the rules decided, in order, with their numbers. */
export function rulesHtml(notes: readonly Note[]): string {
  if (notes.length === 0) return "";
  const items = notes.map(
    ({ type, round, data }) =>
      `<li><details><summary><b>${escapeHtml(type.replaceAll("_", " "))}</b>${round > 0 ? ` <a class="step" href="#${htmlId("round", String(round))}">round ${round}</a>` : ""} <span class="gist">${escapeHtml(gist(data))}</span></summary>${valueHtml(data)}</details></li>`,
  );
  return `<section aria-labelledby="rules"><h2 id="rules">What the rules decided</h2><ol class="notes">${items.join("")}</ol></section>`;
}

/** Which single setting would flip the decision over the same turns. */
export function changeHtml(change: WhatWouldChange | null): string {
  if (change === null) return "";
  const body =
    change.levers.length === 0
      ? `<p>${escapeHtml(nothingWouldChange(change))}</p>`
      : `<p class="soft">Over the same recorded turns, one setting at a time:</p><ul class="levers">${change.levers.map((lever) => `<li><code>${escapeHtml(leverText(lever))}</code> <span>${lever.flips.map(({ name, before, after }) => `${escapeHtml(name)}: ${escapeHtml(before)} → <b>${escapeHtml(after)}</b>`).join("; ")}</span></li>`).join("")}</ul>`;
  return `<section aria-labelledby="change"><h2 id="change">What would change it</h2>${body}</section>`;
}
