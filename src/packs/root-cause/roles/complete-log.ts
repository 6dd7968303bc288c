import type { LogTemplate, ParsedLog } from "../../../knowledge/logs/index.ts";

/** A log with templates and totals: those that are not given are counted from the events (root-cause spec §1). */
export function completeLog(log: ParsedLog): ParsedLog {
  if (log.templates.length > 0 || log.events.length === 0) return log;
  const events = log.events.map((event) => ({
    ...event,
    template_id: event.template_id || maskMessage(event.message),
  }));
  const templates = [...Map.groupBy(events, ({ template_id }) => template_id)].map(([id, all]): LogTemplate => {
    const times = all.flatMap(({ timestamp }) => timestamp ?? []);
    const [first] = all;
    return {
      id,
      template: maskMessage(first?.message ?? id),
      count: all.length,
      level: first?.level ?? null,
      component: first?.component ?? null,
      sample: first?.message ?? "",
      file: first?.file ?? null,
      first_line: first?.line ?? null,
      last_line: all.at(-1)?.line ?? null,
      first_seen: times.length > 0 ? Math.min(...times) : null,
      last_seen: times.length > 0 ? Math.max(...times) : null,
      reference_count: null,
      change: null,
    };
  });
  const times = events.flatMap(({ timestamp }) => timestamp ?? []);
  const [first_timestamp, last_timestamp] = times.length > 0 ? [Math.min(...times), Math.max(...times)] : [null, null];
  const counts = { lines: events.length, events: events.length, kept_events: events.length };
  const totals = { ...log.totals, ...counts, templates: templates.length, first_timestamp, last_timestamp };
  return { ...log, events, templates: templates.sort((a, b) => b.count - a.count), totals };
}

/** The shape of a message: what has digits in it is variable. */
function maskMessage(message: string): string {
  return (message.split("\n")[0] ?? "").replace(/\S*\d\S*/g, "<*>") || "(empty)";
}
