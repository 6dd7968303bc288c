import type { Level } from "../schemas/parsed-log.ts";
import { headOfFields } from "./field-names.ts";
import type { HeadReader } from "./header-format.ts";
import { readLevel, readNumericLevel } from "./level.ts";

/** One JSON object a line, with the field names that the common loggers use. */
export const jsonReader: HeadReader = {
  name: "json",
  read(line, clock) {
    const record = objectOf(line);
    if (record === null) return null;
    const head = headOfFields((name) => textOf(valueAt(record, name)), clock, line);
    const level = valueAt(record, "level") ?? valueAt(record, "severity");
    return { ...head, level: typeof level === "number" ? levelOfNumber(level) : head.level };
  },
};

function levelOfNumber(value: number): Level | null {
  return value >= 10 ? readNumericLevel(value) : readLevel(String(value));
}

function objectOf(line: string): Record<string, unknown> | null {
  const start = line.search(/\S/);
  if (line.charCodeAt(start) !== 123 || !/\}\s*$/.test(line)) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** A field by its name, or by its path when nested (`log.level`). */
function valueAt(record: Record<string, unknown>, name: string): unknown {
  if (name in record || !name.includes(".")) return record[name];
  let value: unknown = record;
  for (const key of name.split(".")) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value;
}

function textOf(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
