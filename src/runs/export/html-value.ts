import { escapeHtml } from "../../text/html-escape.ts";

/** Any JSON value as readable HTML: short records on one line, lists of like records as tables, the rest as lists. */
export function valueHtml(value: unknown): string {
  if (value === null || value === undefined) return `<span class="nothing">–</span>`;
  if (typeof value === "string")
    return value === "" ? `<span class="nothing">(empty)</span>` : `<span class="text">${escapeHtml(value)}</span>`;
  if (typeof value === "number") return `<span class="number">${numberText(value)}</span>`;
  if (typeof value === "boolean") return value ? "yes" : "no";
  if (typeof value !== "object") return "";
  return Array.isArray(value) ? listHtml(value) : recordHtml(value as Record<string, unknown>);
}

/** Whole numbers as they are, others with at most three digits after the point. */
export function numberText(value: number): string {
  return Number.isInteger(value) ? value.toLocaleString("en") : String(Number(value.toFixed(3)));
}

function listHtml(values: unknown[]): string {
  if (values.length === 0) return `<span class="nothing">none</span>`;
  if (!values.every(isScalar)) return values.length > 1 && isTable(values) ? tableHtml(values) : itemsHtml(values);
  const texts = values.map((value) => valueHtml(value));
  const isShort = values.every((value) => String(value).length <= 40);
  if (isShort) return texts.map((text) => `<span class="chip">${text}</span>`).join(" ");
  return `<ul>${texts.map((text) => `<li>${text}</li>`).join("")}</ul>`;
}

/** Items one under the other; many or long ones are folded away behind their count. */
function itemsHtml(values: unknown[]): string {
  const list = `<ol class="items">${values.map((value) => `<li>${valueHtml(value)}</li>`).join("")}</ol>`;
  const isLong = JSON.stringify(values).length > foldedFrom;
  return isLong ? `<details class="folded"><summary>${values.length} items</summary>${list}</details>` : list;
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

function tableHtml(rows: Rows): string {
  const keys = Object.keys(rows[0] ?? {});
  const head = keys.map((key) => `<th scope="col">${label(key)}</th>`).join("");
  const body = rows.map((row) => `<tr>${keys.map((key) => `<td>${valueHtml(row[key])}</td>`).join("")}</tr>`).join("");
  return `<div class="wide" tabindex="0"><table><thead><tr>${head}</tr></thead><tbody>${body}</tbody></table></div>`;
}

function recordHtml(record: Record<string, unknown>): string {
  const rows = Object.entries(record).filter(([, value]) => value !== undefined);
  if (rows.length === 0) return `<span class="nothing">none</span>`;
  if (fitsOnOneLine(rows))
    return `<span class="pairs">${rows.map(([key, value]) => `<span><i>${label(key)}</i> ${valueHtml(value)}</span>`).join(" ")}</span>`;
  return `<dl>${rows.map(([key, value]) => `<dt>${label(key)}</dt><dd>${valueHtml(value)}</dd>`).join("")}</dl>`;
}

/** Records of a few short values (a span, a pair of numbers) read better as one line. */
function fitsOnOneLine(rows: [string, unknown][]): boolean {
  const length = rows.reduce((sum, [key, value]) => sum + key.length + String(value).length, 0);
  return rows.every(([, value]) => isScalar(value)) && rows.length <= 4 && length <= 90;
}

function isScalar(value: unknown): boolean {
  return value === null || typeof value !== "object";
}

function isRecord(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object" && !Array.isArray(value);
}

function label(key: string): string {
  return escapeHtml(key.replaceAll("_", " "));
}
