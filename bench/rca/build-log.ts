import {
  type ErrorMessage,
  type LogEvent,
  type LogTemplate,
  type ParsedLog,
  ParsedLogSchema,
} from "../../src/knowledge/logs/index.ts";

type Parts = {
  events: LogEvent[];
  templates: LogTemplate[];
  lines: number;
  reference: number | null;
  vanished?: LogTemplate[];
};

/** A ParsedLog of events and template counts that come already sampled. */
export function buildLog({ events, templates, lines, reference, vanished = [] }: Parts): ParsedLog {
  const kept = events.length;
  const left = Math.max(0, lines - kept);
  const times = events.flatMap(({ timestamp }) => timestamp ?? []);
  return ParsedLogSchema.parse({
    events,
    templates: templates.toSorted((a, b) => b.count - a.count || (a.id < b.id ? -1 : 1)),
    entities: listEntities(events, templates),
    error_messages: listErrors(events),
    reference: reference === null ? null : { name: "reference", events: reference, vanished },
    totals: {
      files: 1,
      bytes: 0,
      lines,
      blank_lines: 0,
      continuation_lines: 0,
      events: kept + left,
      outside_window: 0,
      events_by_level: {},
      kept_events: kept,
      left_out_events: left,
      templates: templates.length,
      first_timestamp: times.length > 0 ? Math.min(...times) : null,
      last_timestamp: times.length > 0 ? Math.max(...times) : null,
    },
  });
}

function listEntities(events: LogEvent[], templates: LogTemplate[]) {
  const counts = new Map<string, number>();
  for (const { component, count } of templates)
    if (component) counts.set(component, (counts.get(component) ?? 0) + count);
  for (const { component } of events) if (component && !counts.has(component)) counts.set(component, 1);
  return [...counts].map(([name, count]) => ({ type: "component", name, count: Math.max(1, count) }));
}

const exceptionName = /\b(?:[a-z]\w*\.)*[A-Z]\w*(?:Exception|Error)\b/;

function listErrors(events: LogEvent[]): ErrorMessage[] {
  const found = new Map<string, ErrorMessage>();
  for (const { raw, level, component, file, line, timestamp, template_id } of events)
    for (const [offset, text] of raw.split("\n").entries()) {
      const name = exceptionName.exec(text)?.[0].split(".").at(-1);
      const severe = level === "ERROR" || level === "FATAL";
      if (!name && !(severe && offset === 0)) continue;
      const error_type = name ?? (level as string);
      const key = `${error_type} ${template_id}`;
      const known = found.get(key);
      if (known) known.count += 1;
      else
        found.set(key, {
          error_type,
          message: text.trim(),
          component,
          file,
          line: line + offset,
          template_id,
          level,
          timestamp,
          count: 1,
        });
    }
  return [...found.values()];
}
