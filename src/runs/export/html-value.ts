import { html, type Markup, type Part } from "../../text/html.ts";
import { isRecord } from "../../text/is-record.ts";
import { formatNumber } from "../../text/number-text.ts";

/** Any JSON value as readable HTML: short records on one line, lists of like records as tables, the rest as lists. */
export function drawValue(value: unknown): Markup {
  if (value === null || value === undefined) return html`<span class="nothing">–</span>`;
  if (typeof value === "string")
    return value === "" ? html`<span class="nothing">(empty)</span>` : html`<span class="text">${value}</span>`;
  if (typeof value === "number") return html`<span class="number">${formatNumber(value)}</span>`;
  if (typeof value === "boolean") return html`${value ? "yes" : "no"}`;
  return Array.isArray(value) ? drawList(value) : isRecord(value) ? drawRecord(value) : html``;
}

function drawList(values: unknown[]): Markup {
  if (values.length === 0) return html`<span class="nothing">none</span>`;
  if (!values.every(isScalar)) return values.length > 1 && isTable(values) ? drawTable(values) : drawItems(values);
  const isShort = values.every((value) => String(value).length <= 40);
  if (isShort)
    return html`${values.map((value, i) => html`${i > 0 && " "}<span class="chip">${drawValue(value)}</span>`)}`;
  return html`<ul>${values.map((value) => html`<li>${drawValue(value)}</li>`)}</ul>`;
}

/** Items one under the other; many or long ones are folded away behind their count. */
function drawItems(values: unknown[]): Markup {
  const list = html`<ol class="items">${values.map((value) => html`<li>${drawValue(value)}</li>`)}</ol>`;
  const isLong = JSON.stringify(values).length > foldedFrom;
  return isLong ? html`<details class="folded"><summary>${values.length} items</summary>${list}</details>` : list;
}

const foldedFrom = 2_400;
const maxColumns = 6;

type Rows = Record<string, unknown>[];

/** Records with the same few keys and short values read best as a table. */
function isTable(values: unknown[]): values is Rows {
  const [first] = values;
  if (!isRecord(first)) return false;
  const keys = Object.keys(first).join("\n");
  return (
    Object.keys(first).length <= maxColumns &&
    values.every(
      (value) => isRecord(value) && Object.keys(value).join("\n") === keys && Object.values(value).every(isShortCell),
    )
  );
}

function isShortCell(value: unknown): boolean {
  if (isScalar(value)) return String(value).length <= 160;
  if (Array.isArray(value)) return value.length <= 4 && value.every((one) => isScalar(one) && String(one).length <= 40);
  return isRecord(value) && fitsOnOneLine(Object.entries(value));
}

function drawTable(rows: Rows): Markup {
  const keys = Object.keys(rows[0] ?? {});
  const head = keys.map((key) => html`<th scope="col">${labelOf(key)}</th>`);
  const body = rows.map((row) => html`<tr>${keys.map((key) => html`<td>${drawValue(row[key])}</td>`)}</tr>`);
  return html`<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function drawRecord(record: Record<string, unknown>): Markup {
  const rows = Object.entries(record).filter(([, value]) => value !== undefined);
  if (rows.length === 0) return html`<span class="nothing">none</span>`;
  if (fitsOnOneLine(rows)) return html`<span class="pairs">${rows.map(drawPair)}</span>`;
  return html`<dl>${rows.map(([key, value]) => html`<dt>${labelOf(key)}</dt><dd>${drawValue(value)}</dd>`)}</dl>`;
}

function drawPair([key, value]: [string, unknown], at: number): Part {
  return html`${at > 0 && " "}<span><i>${labelOf(key)}</i> ${drawValue(value)}</span>`;
}

/** Records of a few short values (a span, a pair of numbers) read better as one line. */
function fitsOnOneLine(rows: [string, unknown][]): boolean {
  const length = rows.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  return rows.every(([, value]) => isScalar(value)) && rows.length <= 4 && length <= 90;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

function labelOf(key: string): string {
  return key.replaceAll("_", " ");
}
