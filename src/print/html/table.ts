import type { Cell, SectionOf } from "../../contract/view.ts";
import { html, type Markup, type Part } from "../../text/html.ts";
import { cellOf, columnOf } from "../cell.ts";
import { type Anchors, linkRuns } from "./anchors.ts";

/** A table; a wide one scrolls inside its own frame. */
export function drawTable({ title, note, columns, rows }: SectionOf<"table">, anchors: Anchors): Part {
  const heads = columns.map(columnOf);
  const names = heads.map(({ name, numeric, hint }) => {
    const attributes = html`${numeric && html` class="num"`}${hint && html` title="${hint}"`}`;
    return name === "" ? html`<td></td>` : html`<th scope="col"${attributes}>${name}</th>`;
  });
  const body = rows.map(
    (row) => html`<tr>${heads.map(({ numeric }, i) => drawCell(row[i], { numeric, isFirst: i === 0 }, anchors))}</tr>`,
  );
  const label = title || note || heads.map(({ name }) => name).join(", ");
  return html`<div class="wide" tabindex="0" role="group" aria-label="${label}"><table><thead><tr>${names}</tr></thead><tbody>${body}</tbody></table></div>`;
}

type Place = { numeric: boolean | undefined; isFirst: boolean };

function drawCell(cell: Cell | undefined, { numeric, isFirst }: Place, anchors: Anchors): Markup {
  const { text, note, tag, tone, runs } = cellOf(cell);
  const inside = html`${linkRuns(text, runs, anchors)}${tag && html` <span class="tag ${tag}">${tag}</span>`}${note && html`<span class="sub">${note}</span>`}`;
  const names = [numeric && "num", tone && `tone-${tone}`].filter(Boolean).join(" ");
  const attribute = names !== "" && html` class="${names}"`;
  return isFirst ? html`<th scope="row"${attribute}>${inside}</th>` : html`<td${attribute}>${inside}</td>`;
}
