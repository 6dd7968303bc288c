import { html, type Markup } from "../../text/html.ts";

/** A cell: what is shown, and what it sorts by when that is not its text. */
export type Cell = Markup | string | { show: Markup | string; sort: number | string };

export type Column = { name: string; numeric?: boolean; hint?: string };

/** A table that a reader can sort by any column; wide ones scroll inside their own frame. */
export function sortableTable(columns: Column[], rows: Cell[][], caption = ""): Markup {
  const head = columns.map(
    ({ name, numeric, hint }) =>
      html`<th scope="col" class="${numeric ? "num" : ""}"${hint ? html` title="${hint}"` : ""}><button type="button">${name}</button></th>`,
  );
  const body = rows.map(
    (row) => html`<tr>${row.map((cell, i) => cellOf(cell, columns[i]?.numeric === true, i === 0))}</tr>`,
  );
  return html`${caption && html`<p class="caption">${caption}</p>`}<div class="scroll" tabindex="0" role="region" aria-label="${caption || columns.map((column) => column.name).join(", ")}"><table class="sortable"><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function cellOf(cell: Cell, numeric: boolean, isFirst: boolean): Markup {
  const sorted = typeof cell === "object" && "sort" in cell ? html` data-sort="${String(cell.sort)}"` : "";
  const shown = typeof cell === "object" && "show" in cell ? cell.show : cell;
  const kind = numeric ? "num" : "";
  return isFirst
    ? html`<th scope="row" class="${kind}"${sorted}>${shown}</th>`
    : html`<td class="${kind}"${sorted}>${shown}</td>`;
}
