import { escapeHtml } from "./html-escape.ts";

/** Any JSON value as readable HTML: records as definition lists, lists of records as tables or lists, long text as paragraphs. */
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
  if (values.every((value) => typeof value !== "object" || value === null)) {
    const texts = values.map((value) => valueHtml(value));
    const isShort = values.every((value) => String(value).length <= 40);
    return isShort
      ? texts.map((text) => `<span class="chip">${text}</span>`).join(" ")
      : `<ul>${texts.map((text) => `<li>${text}</li>`).join("")}</ul>`;
  }
  return `<ol class="items">${values.map((value) => `<li>${valueHtml(value)}</li>`).join("")}</ol>`;
}

function recordHtml(record: Record<string, unknown>): string {
  const rows = Object.entries(record).filter(([, value]) => value !== undefined);
  if (rows.length === 0) return `<span class="nothing">none</span>`;
  return `<dl>${rows.map(([key, value]) => `<dt>${escapeHtml(key.replaceAll("_", " "))}</dt><dd>${valueHtml(value)}</dd>`).join("")}</dl>`;
}
