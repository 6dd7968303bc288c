import type { History } from "../../contract/incident.ts";
import { type LogEvent, type LogTemplate, LogTemplateSchema, type ParsedLog } from "../../contract/parsed-log.ts";
import { askHistory, type CitedLine, placeEvent, readLog, type Suspect } from "../../knowledge/incidents/index.ts";
import { parseLines, wordData } from "../../knowledge/logs/index.ts";
import type { RootCauseCase } from "./case.ts";
import type { RootCauseConfig } from "./config.ts";
import { citeLine } from "./rules/evidence.ts";
import type { Material, MaterialSuspect, Ref } from "./schemas/material.ts";

/** For users who read logs and past incidents themselves. */
export * from "../../knowledge/incidents/index.ts";
export * from "../../knowledge/logs/index.ts";

const readerVersion = 4;
const mostErrors = 40;
const mostNumbers = 12;
const mostCalls = 30;

/** The material: as much of the log as fits, findings from numbers and calls, and matching past incidents. */
export async function prepare(input: RootCauseCase, config: RootCauseConfig): Promise<Material> {
  const { incidents, similar_incidents, causal_paths, entity_context, patterns } = input;
  const log = completeLog(await readInput(input));
  const { knowledge } = config;
  const given = { similar_incidents, causal_paths, entity_context, patterns };
  const known = Object.fromEntries(Object.entries(given).filter(([, value]) => value !== undefined));
  const history: History | null = knowledge.enabled ? { ...askHistory(log, incidents, knowledge), ...known } : null;
  const reading = readLog(log);
  const shown = chooseLines(
    log,
    reading.suspects.flatMap(({ lines, context }, rank) => [...lines, ...context].map((line) => ({ ...line, rank }))),
    config.log_tokens,
  );
  const refs = new Set(shown.map(({ ref }) => String(ref)));
  const cite = ({ file, line }: CitedLine) => citeLine(log.sources.length, line, file);
  const citeShown = (lines: readonly CitedLine[]): Ref[] => [
    ...new Set(lines.map(cite).filter((ref) => refs.has(String(ref)))),
  ];
  const numbers = log.findings.slice(0, mostNumbers).map(({ kind, component, description, from, ...where }, index) => ({
    id: `N${index + 1}`,
    kind,
    component,
    description,
    at: from,
    lines: citeShown([where, ...(where.last_line === null ? [] : [{ file: where.file, line: where.last_line }])]),
  }));
  const describeSuspect = ({ lines, context, from, ...suspect }: Suspect): MaterialSuspect => {
    const own = citeShown(lines);
    const shows = numbers.filter(({ description }) => suspect.words.includes(description)).map(({ id }) => id);
    return { ...suspect, at: from, refs: own, context: citeShown(context), numbers: shows };
  };
  return {
    sources: log.sources.map(({ name, lines }) => ({ name, lines })),
    lines: shown.map(({ file: _file, line: _line, ...one }) => one),
    errors: log.error_messages
      .slice(0, mostErrors)
      .map(({ error_type, message, component, count, timestamp, ...where }) => ({
        error_type,
        message: message.slice(0, 400),
        component,
        line: cite(where),
        at: timestamp,
        count,
      })),
    numbers,
    timeline: log.timeline.map(({ kind, description, timestamp, ...where }) => ({
      kind,
      description,
      at: timestamp,
      line: citeShown([where])[0] ?? null,
    })),
    entities: log.entities
      .slice(0, 30)
      .map(({ type, name, count, error_count }) => ({ type, name, count, error_count })),
    changes: listChanges(log),
    calls: listCalls(log, citeShown),
    totals: countTotals(log, shown.length),
    history,
    losing: wordData.losing,
    witness: {
      name: "offline log reader",
      version: readerVersion,
      onset: reading.onset,
      calm: reading.calm,
      calm_likely: reading.calmLikely,
      calm_refs: citeShown(reading.calmLines),
      calm_says: reading.calmSays,
      suspects: reading.suspects.map(describeSuspect),
    },
  };
}

async function readInput({
  lines,
  name = "log",
  incidents: _own,
  similar_incidents: _similar,
  causal_paths: _paths,
  entity_context: _context,
  patterns: _patterns,
  ...log
}: RootCauseCase): Promise<ParsedLog> {
  return lines === undefined ? log : parseLines(lines, { name, budgetTokens: 40_000 });
}

/** Completes a log: missing templates and totals are counted from the events (root-cause spec §1). */
function completeLog(log: ParsedLog): ParsedLog {
  if (log.templates.length > 0 || log.events.length === 0) return log;
  const mask = (message: string) => (message.split("\n")[0] ?? "").replace(/\S*\d\S*/g, "<*>") || "(empty)";
  const events = log.events.map((event) => ({ ...event, template_id: event.template_id || mask(event.message) }));
  const span = (list: readonly LogEvent[]) => {
    const times = list.flatMap(({ timestamp }) => timestamp ?? []);
    return times.length > 0 ? ([Math.min(...times), Math.max(...times)] as const) : ([null, null] as const);
  };
  const templates = [...Map.groupBy(events, ({ template_id }) => template_id)].map(([id, all]): LogTemplate => {
    const { message = id, level, component, file, line } = all[0] ?? {};
    const [first_seen, last_seen] = span(all);
    const seen = { first_line: line, last_line: all.at(-1)?.line, first_seen, last_seen };
    const what = { id, template: mask(message), sample: message, count: all.length };
    return LogTemplateSchema.parse({ ...what, level, component, file, ...seen });
  });
  const [first_timestamp, last_timestamp] = span(events);
  const by_level = [...Map.groupBy(events, ({ level }) => level ?? "UNKNOWN")].map(([level, all]) => [
    level,
    all.length,
  ]);
  const totals = {
    ...log.totals,
    lines: events.length,
    events: events.length,
    kept_events: events.length,
    templates: templates.length,
    events_by_level: Object.fromEntries(by_level) as Record<string, number>,
    first_timestamp,
    last_timestamp,
  };
  return { ...log, events, templates: templates.toSorted((a, b) => b.count - a.count), totals };
}

type Chosen = {
  ref: Ref;
  text: string;
  at: number | null;
  level: string | null;
  component: string | null;
  file: string | null;
  line: number;
};
const severities: Record<string, number> = { WARN: 2, ERROR: 4, FATAL: 4 };
const mostOfEvent = 16;

function chooseLines(log: ParsedLog, telling: readonly (CitedLine & { rank: number })[], tokens: number): Chosen[] {
  const ranks = new Map<string, number>();
  for (const { file, line, rank } of telling)
    ranks.set(`${file} ${line}`, Math.min(rank, ranks.get(`${file} ${line}`) ?? rank));
  const seen = new Map<string, number>();
  const rated = log.events.map((event) => {
    const repeat = seen.get(event.template_id) ?? 0;
    seen.set(event.template_id, repeat + 1);
    const best = Math.min(
      ...range(event).map((line) => ranks.get(`${event.file} ${line}`) ?? Number.POSITIVE_INFINITY),
    );
    return {
      event,
      rate: (best < 12 ? 30 - best : 0) + ((severities[event.level ?? ""] ?? 1) + event.why.length) / (1 + repeat),
    };
  });
  const chosen = new Set<LogEvent>();
  let left = tokens;
  for (const { event } of rated.toSorted((a, b) => b.rate - a.rate || a.event.line - b.event.line)) {
    const cost = Math.ceil(Buffer.byteLength(event.raw) / 4) + 4;
    if (cost > left) continue;
    left -= cost;
    chosen.add(event);
  }
  return log.events.filter((event) => chosen.has(event)).flatMap((event) => quoteEvent(event, log, ranks));
}

function range({ line, last_line }: LogEvent): number[] {
  return Array.from({ length: Math.min(60, (last_line ?? line) - line + 1) }, (_, index) => line + index);
}

function quoteEvent(event: LogEvent, log: ParsedLog, ranks: ReadonlyMap<string, number>): Chosen[] {
  const head = {
    at: event.timestamp,
    level: event.level,
    component: placeEvent(event, log.sources.length),
    file: event.file,
  };
  return event.raw.split("\n").flatMap((text, offset) => {
    const line = event.line + offset;
    const isShown = offset < mostOfEvent || ranks.has(`${event.file} ${line}`) || /^\s*Caused by/.test(text);
    return isShown ? [{ ref: citeLine(log.sources.length, line, event.file), text, ...head, line }] : [];
  });
}

function listChanges({ templates, reference }: ParsedLog): Material["changes"] {
  const changed = [...templates, ...(reference?.vanished ?? [])].filter(
    ({ change }) => change !== null && change !== "same",
  );
  return changed.slice(0, 40).map(({ template, component, count, reference_count, change }) => ({
    change: change ?? "",
    component,
    message: template.slice(0, 300),
    count,
    count_in_reference: reference_count,
  }));
}

function listCalls({ hops = [] }: ParsedLog, citeShown: (lines: readonly CitedLine[]) => Ref[]): Material["calls"] {
  return hops.slice(0, mostCalls).map((hop) => ({
    caller: hop.caller,
    callee: hop.callee,
    calls: hop.count,
    failed: hop.error_count,
    usually_ms: hop.reference_median_ms,
    now_ms: hop.median_ms,
    change: hop.change === "same" ? null : hop.change,
    since: hop.from ?? null,
    line: hop.line === null ? null : (citeShown([{ file: hop.file, line: hop.line }])[0] ?? null),
  }));
}

function countTotals({ totals, sources, reference }: ParsedLog, shown: number): Material["totals"] {
  return {
    lines: totals.lines,
    events: totals.events,
    shown,
    by_level: totals.events_by_level,
    templates: totals.templates,
    files: sources.length,
    first: totals.first_timestamp,
    last: totals.last_timestamp,
    reference: reference && `${reference.events} events of ${reference.name}`,
  };
}
