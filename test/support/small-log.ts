import {
  type ErrorMessage,
  type Level,
  type LogEvent,
  levels,
  type LogTemplate,
  type ParsedLog,
  ParsedLogSchema,
} from "../../src/knowledge/logs/index.ts";

const linePattern = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d(?:[.,]\d+)?) (\w+) ([\w.-]+): (.*)$/;

/** A ParsedLog of lines like `2024-03-01 10:00:00 ERROR Component: message`; for tests that need no log parser. */
export function smallLog(text: string, reference: Record<string, number> | null = null): ParsedLog {
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  const events = lines.map(eventOf);
  const templates = templatesOf(events, reference);
  return ParsedLogSchema.parse({
    events,
    templates,
    entities: entitiesOf(events),
    error_messages: errorsOf(events),
    reference: reference && { name: "good", events: Object.values(reference).reduce((sum, count) => sum + count, 0) },
    totals: totalsOf(events, templates),
  });
}

function eventOf(raw: string, index: number): LogEvent {
  const [, time = "", level = "INFO", component = "log", message = raw] = linePattern.exec(raw) ?? [];
  const template_id = `${component}: ${templateOf(message)}`;
  return {
    id: `e${index + 1}`,
    file: null,
    line: index + 1,
    timestamp: time === "" ? null : Date.parse(`${time.replace(" ", "T").replace(",", ".")}Z`),
    level: levels.includes(level as Level) ? (level as Level) : null,
    component,
    template_id,
    message,
    raw,
    why: [],
  };
}

const templateOf = (message: string) => message.replace(/\S*\d\S*/g, "<*>");

function templatesOf(events: LogEvent[], reference: Record<string, number> | null): LogTemplate[] {
  const groups = Map.groupBy(events, (event) => event.template_id);
  const seen = [...groups].map(([id, [first, ...more]]): LogTemplate => {
    const last = more.at(-1) ?? first;
    const count = more.length + 1;
    const before = reference === null ? null : (reference[templateOf(first?.message ?? "")] ?? 0);
    return {
      id,
      template: templateOf(first?.message ?? ""),
      count,
      level: first?.level ?? null,
      component: first?.component ?? null,
      sample: first?.message ?? "",
      file: null,
      first_line: first?.line ?? null,
      last_line: last?.line ?? null,
      first_seen: first?.timestamp ?? null,
      last_seen: last?.timestamp ?? null,
      spread: 1,
      reference_count: before,
      change: before === null ? null : before === 0 ? "new" : count > 2 * before ? "more" : "same",
    };
  });
  return seen.sort((a, b) => b.count - a.count || (a.first_line ?? 0) - (b.first_line ?? 0));
}

function errorsOf(events: LogEvent[]): ErrorMessage[] {
  const bad = events.filter(
    ({ level, message }) => level === "ERROR" || level === "FATAL" || /Exception|timed out/.test(message),
  );
  const groups = Map.groupBy(bad, (event) => event.template_id);
  return [...groups.values()].flatMap(([first, ...more]) => {
    if (!first) return [];
    const { message, component, file, line, template_id, level, timestamp } = first;
    const error_type = /[\w.$]+(?:Exception|Error)\b/.exec(message)?.[0] ?? level ?? "ERROR";
    return [{ error_type, message, component, file, line, template_id, level, timestamp, count: more.length + 1 }];
  });
}

function entitiesOf(events: LogEvent[]) {
  const groups = Map.groupBy(events, (event) => event.component ?? "log");
  return [...groups].map(([name, group]) => ({ type: "component" as const, name, count: group.length }));
}

function totalsOf(events: LogEvent[], templates: LogTemplate[]): ParsedLog["totals"] {
  const counts = { files: 1, bytes: 0, lines: events.length, blank_lines: 0, continuation_lines: 0, outside_window: 0 };
  const left = {
    left_out_events: 0,
  };
  const times = events.flatMap(({ timestamp }) => timestamp ?? []);
  const events_by_level: Record<string, number> = {};
  for (const { level } of events) events_by_level[level ?? "none"] = (events_by_level[level ?? "none"] ?? 0) + 1;
  return {
    ...counts,
    ...left,
    events: events.length,
    kept_events: events.length,
    events_by_level,
    templates: templates.length,
    first_timestamp: times.length > 0 ? Math.min(...times) : null,
    last_timestamp: times.length > 0 ? Math.max(...times) : null,
  };
}
