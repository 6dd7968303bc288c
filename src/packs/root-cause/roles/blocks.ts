import { isFiled } from "../../../contract/run.ts";
import type { Block } from "../../../contract/prompt.ts";
import type { Material } from "../schemas/material.ts";

export function buildErrors({ errors }: Material): Block {
  return { label: "ERRORS", json: errors.map(({ at: _at, ...error }) => dropNulls(error)) };
}

/** For readers of the log: its lines, timeline, entities, and changes against the reference. */
export function buildLog({ lines: known, timeline, entities, changes, totals }: Material): Block[] {
  const lines = known.filter(({ ref }) => !isFiled(ref));
  const left = {
    lines_in_all: totals.lines,
    events_in_all: totals.events,
    lines_shown: totals.shown,
    by_level: totals.by_level,
  };
  const listed = timeline.filter(({ kind }) => kind !== "start" && kind !== "end");
  const named = entities.map(
    ({ name, count, error_count }) => `${name}: ${count}${error_count > 0 ? `, ${error_count} in errors` : ""}`,
  );
  return [
    { label: "LOG LINES", text: lines.map(({ ref, text }) => `${ref} | ${text}`).join("\n") },
    ...(totals.lines > lines.length ? [{ label: "LEFT OUT", json: left }] : []),
    ...list("TIMELINE", listed.map(writeEntry)),
    ...list("ENTITIES", named.slice(0, 20)),
    ...(changes.length > 0 ? [{ label: "CHANGES AGAINST THE HEALTHY REFERENCE", json: changes.map(dropNulls) }] : []),
  ];
}

function list(label: string, rows: readonly string[]): Block[] {
  return rows.length === 0 ? [] : [{ label, text: rows.join("\n") }];
}

export function buildNumbers({ numbers, calls }: Material): Block[] {
  const found = numbers.map(({ id, component, description, at, lines }) => {
    const since = at === null ? "" : `, since ${writeTime(at)}`;
    return `${id}: ${component ?? "the log"}: ${description}${since}${lines.length > 0 ? ` (line ${lines.join(", ")})` : ""}`;
  });
  const listed = calls.map(({ since, ...call }) => dropNulls({ ...call, since: writeTime(since) }));
  return [...list("NUMBERS", found), ...(listed.length > 0 ? [{ label: "CALLS", json: listed }] : [])];
}

export function buildHistory({ history }: Material, most: number): Block[] {
  if (!history) return [];
  const { similar_incidents, causal_paths, entity_context, patterns } = history;
  const paths = causal_paths.map(
    ({ steps, confidence, incident_ids }) => `${steps.join(" → ")} (${confidence}, ${incident_ids.join(", ")})`,
  );
  const context = Object.entries(entity_context).map(
    ([name, past]) => `${name}: ${past.map(({ incident_id }) => incident_id).join(", ")}`,
  );
  const seen = patterns.map(({ pattern, frequency }, index) => {
    const steps = pattern.map((one) => one.slice(0, 120)).join(" → ");
    return `P${index + 1}: ${steps} (${frequency} times before an error)`;
  });
  return [
    { label: "SIMILAR INCIDENTS", json: similar_incidents.slice(0, most).map(describeIncident) },
    ...(most > 3 ? [...list("CAUSAL PATHS", paths), ...list("ENTITY CONTEXT", context)] : []),
    ...list("PATTERNS", seen),
  ];
}

/** Describes a past incident, without symptoms that are not seen now. */
export function describeIncident({
  incident_id,
  title,
  similarity,
  covered,
  next_cause,
  proven,
  source,
  category,
  cause,
  resolution,
  matched,
}: NonNullable<Material["history"]>["similar_incidents"][number]) {
  const seen = [
    ...matched.errors.map(({ error_type, line }) => `${error_type} (line ${line})`),
    ...matched.events.map((text) => text.slice(0, 100)),
  ].slice(0, 4);
  return {
    incident_id,
    title,
    similarity,
    covered,
    next_cause,
    proven,
    confirmed_by_a_person: source !== "starter",
    category,
    cause,
    seen_here: seen,
    resolution: resolution.slice(0, 2),
  };
}

function writeEntry({ kind, description, at, line }: Material["timeline"][number]): string {
  return `${writeTime(at) ?? "-"} ${kind}: ${description.slice(0, 160)}${line === null ? "" : ` (line ${line})`}`;
}

export function writeTime(time: number | null): string | null {
  return time === null
    ? null
    : new Date(time)
        .toISOString()
        .replace("T", " ")
        .replace(/(?:\.000)?Z$/, " UTC");
}

function dropNulls<T extends object>(value: T): Partial<T> {
  return Object.fromEntries(Object.entries(value).filter(([, one]) => one !== null && one !== 0)) as Partial<T>;
}
