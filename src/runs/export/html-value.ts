import { escapeHtml } from "./html-escape.ts";

/** Any JSON value as readable HTML: short records on one line, long ones as definition lists, lists as chips or items. */
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
  if (!values.every(isScalar)) return itemsHtml(values);
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

const foldedFrom = 1_200;

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

function label(key: string): string {
  return escapeHtml(key.replaceAll("_", " "));
}
