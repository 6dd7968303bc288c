import { parse } from "yaml";
import * as z from "zod";
import { ParleyError } from "../../../contract/error.ts";
import { type Incident, IncidentSchema } from "../schemas/incident.ts";
import { readPostMortem } from "./read-post-mortem.ts";

/** Reads incidents from a file: JSON, JSONL, YAML, or a Markdown post-mortem, by its ending (root-cause spec §3.3). */
export function importIncidents(name: string, text: string): Incident[] {
  if (text.trim() === "")
    throw new ParleyError("bad_input", `${name} is empty; give incidents as JSON, JSONL, YAML or Markdown`);
  const found = readValues(name, text).map((value, index) => checkIncident(name, value, index));
  const twice = found.find(({ id }, index) => found.findIndex((other) => other.id === id) !== index);
  if (twice) throw new ParleyError("bad_input", `${name}: the id "${twice.id}" is used twice; ids must be unique`);
  return found.map((incident) => ({ ...incident, source: "import" }));
}

function readValues(name: string, text: string): unknown[] {
  if (/\.(?:md|markdown)$/i.test(name)) return [readPostMortem(name, text)];
  if (/\.(?:jsonl|ndjson)$/i.test(name)) return readJsonLines(name, text);
  const value = /\.ya?ml$/i.test(name)
    ? readAs(name, "YAML", () => parse(text) as unknown)
    : readAs(name, "JSON", () => JSON.parse(text) as unknown);
  if (Array.isArray(value)) return value;
  const wrapped = value as { incidents?: unknown } | null;
  return Array.isArray(wrapped?.incidents) ? wrapped.incidents : [value];
}

function readJsonLines(name: string, text: string): unknown[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      line.trim() === "" ? [] : [readAs(`${name}:${index + 1}`, "JSON", () => JSON.parse(line) as unknown)],
    );
}

function readAs(where: string, format: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new ParleyError("bad_input", `${where}: not valid ${format}: ${what}`, { cause });
  }
}

function checkIncident(name: string, value: unknown, index: number): Incident {
  const checked = IncidentSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw new ParleyError("bad_input", `${name}, incident ${index + 1}:\n${z.prettifyError(checked.error)}`);
}
