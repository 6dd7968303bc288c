import type { Note } from "../../contract/result.ts";
import { htmlId } from "../../print/html/html-id.ts";
import { html, type Part } from "../../text/html.ts";
import type { FrameWords } from "./frame-words.ts";
import { gist } from "./export-page.ts";
import { drawValue } from "./html-value.ts";

/** What the rules decided, in order, with their numbers. */
export function drawRules(notes: readonly Note[], words: FrameWords): Part {
  if (notes.length === 0) return null;
  const items = notes.map(({ type, round, data }) => {
    const where =
      round > 0 && html` <a class="step" href="#${htmlId("round", String(round))}">${words.round(round)}</a>`;
    return html`<li><details><summary><b>${words.notes[type] ?? type.replaceAll("_", " ")}</b>${where} <span class="gist">${gist(data)}</span></summary>${drawValue(data)}</details></li>`;
  });
  return html`<section aria-labelledby="rules"><h2 id="rules">${words.rules}</h2><ol class="notes">${items}</ol></section>
`;
}
