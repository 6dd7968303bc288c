/**
 * Text that cannot open a tag, a link, a mention, a heading or a list of its own, on one line.
 * Entities instead of backslashes where GitHub would still act on the character.
 */
export function plain(text: string): string {
  return text
    .replaceAll(/\s*\n\s*/g, " ")
    .replaceAll(/[\u0000-\u001F\u007F-\u009F\u061C\u200E\u200F\u202A-\u202E\u2066-\u2069]/g, "")
    .replaceAll(/[&<>]/g, (character) => ({ "&": "&amp;", "<": "&lt;", ">": "&gt;" })[character] ?? character)
    .replaceAll(/([[\]*_`\\~$|])/g, "\\$1")
    .replaceAll("@", "&#64;")
    .replaceAll("://", "&#58;//")
    .replaceAll(/\bwww\./gi, (start) => `${start.slice(0, 3)}&#46;`)
    .replace(/^(\s*)([#+-]|\d+(?=[.)]\s))/, (_, space: string, mark: string) =>
      /\d/.test(mark) ? `${space}${mark}\\` : `${space}\\${mark}`,
    )
    .trim();
}

/** Text of several lines; each stays a line. */
export function lines(text: string): string {
  return text
    .split(/\n{2,}/)
    .map((part) => part.split("\n").map(plain).filter(Boolean).join("\\\n"))
    .filter(Boolean)
    .join("\n\n");
}

/** A row of a table. */
export function row(cells: readonly string[]): string {
  return `| ${cells.map((cell) => plain(cell) || " ").join(" | ")} |`;
}

/** Any JSON value as a list, `depth` deep: short values on their key's line. */
export function valueLines(value: unknown, depth = 0): string[] {
  const indent = "  ".repeat(depth);
  if (Array.isArray(value)) return value.flatMap((item, index) => itemLines(String(index + 1), item, indent, depth));
  if (value !== null && typeof value === "object")
    return Object.entries(value)
      .filter(([, inner]) => !isEmpty(inner))
      .flatMap(([key, inner]) => itemLines(key.replaceAll("_", " "), inner, indent, depth));
  return [`${indent}- ${scalar(value)}`];
}

function itemLines(name: string, value: unknown, indent: string, depth: number): string[] {
  const head = `${indent}- **${plain(name)}**`;
  if (value === null || typeof value !== "object") return [`${head} ${scalar(value)}`];
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== "object"))
    return [`${head} ${value.map(scalar).join(" · ")}`];
  const pairs = Object.entries(value);
  if (!Array.isArray(value) && pairs.length <= 4 && pairs.every(([, inner]) => isShort(inner)))
    return [
      `${head} ${pairs.map(([key, inner]) => `${plain(key.replaceAll("_", " "))} ${scalar(inner)}`).join(" · ")}`,
    ];
  return [head, ...valueLines(value, depth + 1)];
}

function isShort(value: unknown): boolean {
  return value === null || (typeof value !== "object" && scalar(value).length <= 40);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function scalar(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return String(Number(value.toFixed(3)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  return plain(typeof value === "string" ? value : JSON.stringify(value)) || "(empty)";
}
