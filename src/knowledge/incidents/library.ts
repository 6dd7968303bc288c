import { existsSync, readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { parse } from "yaml";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { type CausalLink, type Incident, IncidentSchema } from "../../contract/incident.ts";
import type { ParsedLog } from "../../contract/parsed-log.ts";
import { readPostMortem } from "./read-post-mortem.ts";
import { comparable, findProof, isTelling, troubleWords } from "./words.ts";

const folder = new URL("../../../data/rca/incidents/", import.meta.url);
let starter: readonly Incident[] | null = null;

/** The bundled past incidents, in the order of their files (root-cause spec §3.1). */
export function readStarterIncidents(): readonly Incident[] {
  starter ??= readdirSync(folder)
    .filter((name) => name.endsWith(".yaml"))
    .sort()
    .flatMap((name) => readIncidentFile(name));
  return starter;
}

function readIncidentFile(name: string): Incident[] {
  const text = readFileSync(new URL(name, folder), "utf8");
  return z
    .array(IncidentSchema)
    .parse(parse(text))
    .map((incident) => ({ ...incident, source: "starter" }));
}

export function incidentsFileOf(storeFolder: string): string {
  return join(storeFolder, "incidents.jsonl");
}

/** Reads the project's incidents; a missing file is an empty list, a broken line an error. */
export function readProjectIncidents(file: string): Incident[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, "utf8").split("\n");
  return lines.flatMap((line, index) => (line.trim() === "" ? [] : [readLine(line, `${file}:${index + 1}`)]));
}

function readLine(line: string, where: string): Incident {
  try {
    return IncidentSchema.parse(JSON.parse(line));
  } catch (cause) {
    throw new ParleyError("corrupt_store", `${where} is not an incident; remove the line or restore the file`, {
      cause,
    });
  }
}

export function mergeIncidents(known: readonly Incident[], found: readonly Incident[]) {
  const merged = new Map(known.map((incident) => [incident.id, incident]));
  const replaced = found.filter(({ id }) => merged.has(id)).length;
  for (const incident of found) merged.set(incident.id, incident);
  return { incidents: [...merged.values()], added: found.length - replaced, replaced };
}

export function printIncidents(incidents: readonly Incident[]): string {
  return incidents.map((incident) => `${JSON.stringify(incident)}\n`).join("");
}

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
  const value = readAs(name, () => parse(text) as unknown);
  if (Array.isArray(value)) return value;
  const wrapped = value as { incidents?: unknown } | null;
  return Array.isArray(wrapped?.incidents) ? wrapped.incidents : [value];
}

function readJsonLines(name: string, text: string): unknown[] {
  return text
    .split("\n")
    .flatMap((line, index) =>
      line.trim() === "" ? [] : [readAs(`${name}:${index + 1}`, () => JSON.parse(line) as unknown)],
    );
}

function readAs(where: string, read: () => unknown): unknown {
  try {
    return read();
  } catch (cause) {
    const what = cause instanceof Error ? cause.message : String(cause);
    throw new ParleyError("bad_input", `${where}: not valid JSON or YAML: ${what}`, { cause });
  }
}

function checkIncident(name: string, value: unknown, index: number): Incident {
  const checked = IncidentSchema.safeParse(value);
  if (checked.success) return checked.data;
  throw new ParleyError("bad_input", `${name}, incident ${index + 1}:\n${z.prettifyError(checked.error)}`);
}

export type ConfirmedCause = Pick<Incident, "id" | "title" | "cause" | "category"> &
  Partial<Pick<Incident, "system" | "symptoms" | "resolution" | "context" | "chain" | "confidence" | "proof">>;

const mostTemplates = 30;

/**
 * Makes an incident from a log whose cause a person confirmed: its relevant templates, errors, the messages that
 * proved the cause, and its kinds of entities. The system's own guess is never learned (root-cause spec §3.3).
 */
export function learnIncident(log: ParsedLog, confirmed: ConfirmedCause): Incident {
  const severe = ({ level }: { level: string | null }) => level === "WARN" || level === "ERROR" || level === "FATAL";
  const usual = ({ change }: { change: string | null }) => change === "same" || change === "less";
  const templates = log.templates
    .filter((one) => one.template.trim() !== "" && !usual(one) && (severe(one) || troubleWords.test(one.template)))
    .toSorted((a, b) => Number(severe(b)) - Number(severe(a)) || a.count - b.count)
    .map(({ template }) => template.slice(0, 400));
  const errors = log.error_messages
    .filter((error) => isTelling(error.cause ?? error.message))
    .slice(0, 12)
    .map(({ error_type: type, message, cause }) => ({ type, message: (cause ?? message).slice(0, 300) }));
  const proof = findProof(confirmed.cause, [...templates, ...errors.map(({ message }) => message)]);
  return IncidentSchema.parse({
    source: "learned",
    confidence: 0.8,
    templates: templates.slice(0, mostTemplates),
    errors,
    proof,
    entities: log.entities
      .filter(({ type }) => comparable.has(type))
      .slice(0, 20)
      .map(({ type, name }) => ({ type, name })),
    chain: startChain(confirmed.cause, log),
    ...confirmed,
  });
}

function startChain(cause: string, log: ParsedLog): CausalLink[] {
  const [first] = log.error_messages.toSorted((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0) || a.line - b.line);
  return first ? [{ cause, effect: first.error_type, confidence: 0.8, delay_seconds: 0 }] : [];
}
