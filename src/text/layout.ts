import { createRequire } from "node:module";

const require = createRequire(import.meta.url);

/** Loaded on first use, because its Unicode tables load more slowly than most commands run. */
let measureAny: ((text: string) => number) | null = null;

/** How many columns a text takes in a terminal: Hangul, Kana and Han take two, combining marks and colours none. */
export function measureDisplayWidth(text: string): number {
  if (isPlain(text)) return text.length;
  measureAny ??= (require("string-width") as typeof import("string-width")).default;
  return measureAny(text);
}

/** True when a text is made only of Latin letters, figures, marks and lines of one column each, without colours. */
export function isPlain(text: string): boolean {
  return plain.test(text);
}

const plain =
  /^[ -~\u00A1-\u00AC\u00AE-\u00FF\u2013\u2014\u2018-\u201D\u2022\u2026\u2190-\u2193\u21B3\u2212\u2264\u2265\u2500-\u257F\u2581-\u2588\u25A0-\u25CF]*$/;

export function padTo(text: string, width: number): string {
  return text + " ".repeat(Math.max(0, width - measureDisplayWidth(text)));
}

/** Breaks lines at spaces, or anywhere when it must be (`hard`); colours go on from line to line. Loaded when it is first needed. */
export function wrapColoured(text: string, width: number, options: { hard?: boolean } = {}): string[] {
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

/** Rows as lines whose columns are padded to their widest cell, counted in terminal columns; those named in `right` end flush. */
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

/**
 * Text that cannot open a tag, a link, a mention, a heading or a list of its own, on one line.
 * Entities instead of backslashes where GitHub would still act on the character.
 */
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

/** Text made inert for the content of an element; control characters and marks of direction become visible. */
export function escapeHtml(text: string): string {
  return escapeMarks(text).replaceAll(
    /[\u0000-\u0008\u000B\u000C\u000E-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]/g,
    (character) => `⟨U+${character.charCodeAt(0).toString(16).toUpperCase().padStart(4, "0")}⟩`,
  );
}

/** Text made inert for an attribute, where nothing can be made visible: control characters become spaces. */
export function escapeAttribute(text: string): string {
  return escapeMarks(text.replaceAll(/[\u0000-\u001F\u007F-\u009F\u202A-\u202E\u2066-\u2069]+/g, " "));
}

function escapeMarks(text: string): string {
  return text.replaceAll(/[&<>"'`]/g, (mark) => `&#${mark.charCodeAt(0)};`);
}

/** Text that no spreadsheet takes for a formula: one that begins like one, and is no number, gets an apostrophe before it. */
export function guardFormula(text: string): string {
  return /^[=+\-@\t\r]/.test(text) && !/^[+-]?\d+([.,]\d+)*$/.test(text) ? `'${text}` : text;
}
