import { escapeMarkdown } from "../../text/markdown.ts";

/** Any JSON value as a list, `depth` deep: short values on their key's line. */
export function writeValue(value: unknown, depth = 0): string[] {
  const indent = "  ".repeat(depth);
  if (Array.isArray(value)) return value.flatMap((item, index) => writeItem(String(index + 1), item, indent, depth));
  if (value !== null && typeof value === "object")
    return Object.entries(value)
      .filter(([, inner]) => !isEmpty(inner))
      .flatMap(([key, inner]) => writeItem(key.replaceAll("_", " "), inner, indent, depth));
  return [`${indent}- ${writeScalar(value)}`];
}

function writeItem(name: string, value: unknown, indent: string, depth: number): string[] {
  const head = `${indent}- **${escapeMarkdown(name)}**`;
  if (value === null || typeof value !== "object") return [`${head} ${writeScalar(value)}`];
  if (Array.isArray(value) && value.every((item) => item === null || typeof item !== "object"))
    return [`${head} ${value.map(writeScalar).join(" · ")}`];
  const pairs = Object.entries(value);
  if (!Array.isArray(value) && pairs.length <= 4 && pairs.every(([, inner]) => isShort(inner)))
    return [
      `${head} ${pairs.map(([key, inner]) => `${escapeMarkdown(key.replaceAll("_", " "))} ${writeScalar(inner)}`).join(" · ")}`,
    ];
  return [head, ...writeValue(value, depth + 1)];
}

function isShort(value: unknown): boolean {
  return value === null || (typeof value !== "object" && writeScalar(value).length <= 40);
}

function isEmpty(value: unknown): boolean {
  return value === null || value === undefined || (Array.isArray(value) && value.length === 0);
}

function writeScalar(value: unknown): string {
  if (value === null || value === undefined) return "–";
  if (typeof value === "number") return String(Number(value.toFixed(3)));
  if (typeof value === "boolean") return value ? "yes" : "no";
  return escapeMarkdown(typeof value === "string" ? value : JSON.stringify(value)) || "(empty)";
}
