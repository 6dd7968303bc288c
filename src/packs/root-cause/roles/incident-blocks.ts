import type { Block } from "../../../contract/prompt.ts";
import type { Knowledge } from "../../../knowledge/incidents/index.ts";
import type { LogHop, ParsedLog } from "../../../knowledge/logs/index.ts";
import { mostErrors } from "../rules/check-evidence.ts";
import { citeLine } from "../rules/cite-line.ts";
import { chooseShown, type ShownLines } from "../rules/shown-lines.ts";
import type { IncidentData } from "./role-inputs.ts";

const built = new WeakMap<IncidentData, { errors: Block; log: Block[] }>();

/** What everybody sees of the incident, and what of the log those see who read it; the same blocks for all (root-cause spec §4.1). */
export function buildLogBlocks(incident: IncidentData): { errors: Block; log: Block[] } {
  const known = built.get(incident) ?? {
    errors: { label: "ERRORS", json: listErrors(incident.log) },
    log: readLog(incident),
  };
  built.set(incident, known);
  return known;
}

/** What past incidents say; who is not shown the lines is not told their numbers. */
export function buildHistoryBlocks({ log, knowledge, logTokens }: IncidentData, readsLog: boolean): Block[] {
  if (!knowledge) return [];
  const { refs } = chooseShown(log, logTokens);
  return [
    { label: "SIMILAR INCIDENTS", json: knowledge.similar_incidents.map(tellIncident) },
    { label: "CAUSAL PATHS", json: knowledge.causal_paths.map(({ hops: _hops, ...path }) => path) },
    { label: "ENTITY CONTEXT", json: knowledge.entity_context },
    { label: "PATTERNS", json: knowledge.patterns.map((pattern) => nameLines(pattern, readsLog ? refs : new Set())) },
  ];
}

/** A past incident in words that are explained; who confirmed it counts, what the matching goes by does not. */
export function tellIncident({ next_unconfirmed: _next, source, ...incident }: Knowledge["similar_incidents"][number]) {
  return { ...incident, confirmed_by_a_person: source !== "starter" };
}

function nameLines({ lines, ...pattern }: Knowledge["patterns"][number], refs: ReadonlySet<string>) {
  const shown = lines.filter((line) => refs.has(String(line)));
  return shown.length > 0 ? { ...pattern, lines: shown } : pattern;
}

function listErrors(log: ParsedLog) {
  return log.error_messages.slice(0, mostErrors).map(({ error_type, message, component, file, line, count }) => ({
    error_type,
    message,
    component,
    line: citeLine(log, line, file),
    count,
  }));
}

function readLog({ log, logTokens }: IncidentData): Block[] {
  const shown = chooseShown(log, logTokens);
  const changes = listChanges(log);
  const calls = listCalls(log, shown);
  return [
    { label: "LOG LINES", text: shown.events.flatMap((event) => quoteLines(log, event)).join("\n") },
    { label: "LEFT OUT", json: countLeftOut(log, shown) },
    { label: "TIMELINE", json: log.timeline.map((entry) => ({ ...tellEntry(entry), ...nameLine(entry, log, shown) })) },
    { label: "ENTITIES", json: listEntities(log) },
    ...(changes.length > 0 ? [{ label: "CHANGES AGAINST THE HEALTHY REFERENCE", json: changes }] : []),
    ...(calls.length > 0 ? [{ label: "CALLS", json: calls }] : []),
  ];
}

function quoteLines(log: ParsedLog, { raw, line, file }: ParsedLog["events"][number]): string[] {
  return raw.split("\n").map((text, offset) => `${citeLine(log, line + offset, file)} | ${text}`);
}

/** How much there is beside what is shown. */
function countLeftOut({ totals }: ParsedLog, { events }: ShownLines) {
  return {
    lines_in_all: totals.lines,
    events_in_all: totals.events,
    events_shown: events.length,
    events_by_level: totals.events_by_level,
    kinds_of_messages: totals.templates,
    first_time: writeTime(totals.first_timestamp),
    last_time: writeTime(totals.last_timestamp),
  };
}

function tellEntry({ kind, description, timestamp }: ParsedLog["timeline"][number]) {
  return { kind, description, time: writeTime(timestamp) };
}

/** A line is named only where it can be read. */
function nameLine({ line, file }: { line: number | null; file: string | null }, log: ParsedLog, { refs }: ShownLines) {
  const ref = line === null ? null : citeLine(log, line, file);
  return ref !== null && refs.has(String(ref)) ? { line: ref } : {};
}

/** A time as people write it. */
function writeTime(time: number | null): string | null {
  return time === null
    ? null
    : new Date(time)
        .toISOString()
        .replace("T", " ")
        .replace(/(?:\.000)?Z$/, " UTC");
}

function listEntities({ entities }: ParsedLog) {
  return entities.slice(0, 40).map(({ type, name, count, error_count }) => ({ type, name, count, error_count }));
}

function listChanges({ templates }: ParsedLog) {
  return templates
    .filter(({ change }) => change !== null && change !== "same")
    .slice(0, 60)
    .map(({ template, component, count, reference_count, change }) => ({
      change,
      component,
      message: template,
      count,
      count_in_reference: reference_count,
    }));
}

const mostCalls = 30;

/** Who calls whom: what traces show of it, those that changed first, and what a topology file says beyond that. */
function listCalls(log: ParsedLog, shown: ShownLines) {
  const { hops = [], topology = [] } = log;
  const traced = new Set(hops.map(({ caller, callee }) => `${caller} ${callee}`));
  const declared = topology.filter(({ caller, callee }) => !traced.has(`${caller} ${callee}`));
  return [...hops.map((hop) => tellCall(hop, log, shown)), ...declared].slice(0, mostCalls);
}

function tellCall(hop: LogHop, log: ParsedLog, shown: ShownLines) {
  const isChanged = hop.change !== null && hop.change !== "same";
  return {
    caller: hop.caller,
    callee: hop.callee,
    calls: hop.count,
    failed: hop.error_count,
    usually_ms: hop.reference_median_ms,
    now_ms: hop.median_ms,
    ...(isChanged && { change: hop.change, since: writeTime(hop.from ?? null), ...nameLine(hop, log, shown) }),
  };
}
