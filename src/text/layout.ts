import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loaded on first use, because its Unicode tables load more slowly than most commands run. */
let measureAny: ((text: string) => number) | null = null;

/** The width of a text in terminal columns: Hangul, Kana and Han take two, combining marks and colours none. */
export function measureDisplayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  measureAny ??= (require("string-width") as typeof import("string-width")).default;
  return measureAny(text);
}

/** True for text of single-column Latin characters and punctuation, without colours. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

const plain =
  /^[ -~\u00A1-\u00AC\u00AE-\u00FF\u2013\u2014\u2018-\u201D\u2022\u2026\u2190-\u2193\u21B3\u2212\u2264\u2265\u2500-\u257F\u2581-\u2588\u25A0-\u25CF]*$/;

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - measureDisplayWidth(text)));
}

/** Wraps at spaces, or anywhere if `hard`; colours continue on the next line. Loaded on first use. */
export function wrapColoured(
  text: string,
  width: number,
  options: { hard?: boolean; wordWrap?: boolean } = {},
): string[] {
  const { default: wrapAnsi } = require("wrap-ansi") as typeof import("wrap-ansi");
  return wrapAnsi(text, width, options).split("\n");
}

export function wrap(text: string, width: number): string[] {
  const words = text.trim().replaceAll(/\s+/g, " ");
  if (words === "") return [];
  return isPlain(words) ? wrapPlain(words.split(" "), width) : wrapColoured(words, Math.max(1, width));
}

function wrapPlain(words: readonly string[], width: number): string[] {
  const lines: string[] = [];
  for (const word of words) {
    const last = lines.at(-1);
    if (last === undefined || last.length + 1 + word.length > width) lines.push(word);
    else lines[lines.length - 1] = `${last} ${word}`;
  }
  return lines;
}

/** Aligns columns by display width; those in `right` are right-aligned. */
export function formatTable(rows: readonly (readonly string[])[], right: ReadonlySet<number> = new Set()): string[] {
  const count = Math.max(0, ...rows.map((row) => row.length));
  const widths = Array.from({ length: count }, (_, i) =>
    Math.max(0, ...rows.map((row) => measureDisplayWidth(row[i] ?? ""))),
  );
  return rows.map((row) =>
    row
      .map((cell, i) => {
        const width = widths[i] ?? 0;
        return right.has(i) ? " ".repeat(width - measureDisplayWidth(cell)) + cell : padTo(cell, width);
      })
      .join("  ")
      .trimEnd(),
  );
}

const bars = "▁▂▃▄▅▆▇█";

export function sparkline(values: readonly number[], full = fullScale(values)): string {
  const bar = (value: number): string =>
    bars[Math.min(bars.length - 1, Math.max(0, Math.floor((value / full) * bars.length)))] ?? "";
  return values.map(bar).join("");
}

function fullScale(values: readonly number[]): number {
  const most = Math.max(0, ...values.map(Math.abs));
  return most <= 1 ? 1 : most <= 100 ? 100 : most;
}

/** Text on one line that cannot open a tag, link, mention, heading or list. Uses entities where GitHub ignores backslashes. */
export function escapeMarkdown(text: string): string {
  return text
    .replaceAll(/\s+/g, " ")
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "")
    .trim()
    .replaceAll(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character] ?? character)
    .replaceAll(/([[\]*_`\\~$|])/g, "\\$1")
    .replaceAll("@", "&#64;")
    .replaceAll("://", "&#58;//")
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, 3)}&#46;`)
    .replace(/^(?:[#+=-]|\d+(?=[.)](?:\s|$)))/, (mark) => (/\d/.test(mark) ? `${mark}\\` : `\\${mark}`));
}

/** Escapes text for an HTML tag; control characters become spaces. */
export function escapeAttribute(text: string): string {
  return text
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]+/g, " ")
    .replaceAll(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Prefixes an apostrophe to text that a spreadsheet would take for a formula. */
export function guardFormula(text: string): string {
  return /^(?:\s*[=+\-@＝＋－＠]|[\t\r\n])/.test(text) && !/^\s*[+-]?\d+([.,]\d+)*$/.test(text) ? `'${text}` : text;
}
