import type { Level } from "../schemas/parsed-log.ts";
import { readFields } from "./read-fields.ts";
import type { HeadReader } from "./header-format.ts";
import { readLevel, readNumericLevel } from "./level.ts";

/** One JSON object per line, with the field names that the common loggers use. */
export const jsonReader: HeadReader = {
  name: "json",
  read(line, times) {
    const record = parseObject(line);
    if (record === null) return null;
    const head = readFields((name) => printScalar(findValue(record, name)), times, line);
    const level = findValue(record, "level") ?? findValue(record, "severity");
    return { ...head, level: typeof level === "number" ? readLevelNumber(level) : head.level };
  },
};

function readLevelNumber(value: number): Level | null {
  return value >= 10 ? readNumericLevel(value) : readLevel(String(value));
}

function parseObject(line: string): Record<string, unknown> | null {
  const start = line.search(/\S/);
  if (line.charCodeAt(start) !== 123 || !/\}\s*$/.test(line)) return null;
  try {
    return JSON.parse(line) as Record<string, unknown>;
  } catch {
    return null;
  }
}

/** A field by its name, or by its path when nested (`log.level`). */
function findValue(record: Record<string, unknown>, name: string): unknown {
  if (name in record || !name.includes(".")) return record[name];
  let value: unknown = record;
  for (const key of name.split(".")) value = (value as Record<string, unknown> | null | undefined)?.[key];
  return value;
}

function printScalar(value: unknown): string | undefined {
  if (typeof value === "string") return value;
  return typeof value === "number" || typeof value === "boolean" ? String(value) : undefined;
}
