import { type Level, type LogEvent, levels, type LogTemplate, type ParsedLog } from "../../src/knowledge/logs/index.ts";
import { buildLog } from "./build-log.ts";

export type NezhaRow = {
  id: string;
  root_service: string;
  fault_type: string;
  total_lines: number;
  error_lines_by_service: Record<string, number>;
  lines: string[];
  template_counts: { service: string; template: string; fault: number; reference: number }[];
};

/** `2023-01-29T08:42:28.791Z service [local time] message`. */
const eventLine = /^(\S+) (\S+) (?:\d\d:\d\d:\d\d\S* )?(.*)$/s;

/** A fault of microservices as a ParsedLog: sampled traces as events, template counts with those of a healthy reference. */
export function buildNezhaLog(row: NezhaRow): ParsedLog {
  const all = row.template_counts.map((template, index) => buildTemplate(template, index));
  const templates = all.filter(({ count }) => count > 0);
  const finders = templates.map((template) => ({ ...template, pattern: buildPattern(template.template) }));
  const events = row.lines.map((raw, index) => buildEvent(raw, index, finders));
  return buildLog({
    events,
    templates,
    lines: row.total_lines,
    vanished: all.filter(({ count }) => count === 0),
    reference: row.template_counts.reduce((sum, { reference }) => sum + reference, 0),
  });
}

function buildTemplate(
  { service, template, fault, reference }: NezhaRow["template_counts"][number],
  index: number,
): LogTemplate {
  return {
    id: `T${index + 1}`,
    template,
    count: fault,
    level: findLevel(template),
    component: service,
    sample: "",
    file: null,
    first_line: null,
    last_line: null,
    first_seen: null,
    last_seen: null,
    spread: 1,
    reference_count: reference,
    change: reference === 0 ? "new" : null,
  };
}

function buildEvent(raw: string, index: number, templates: (LogTemplate & { pattern: RegExp })[]): LogEvent {
  const [, time = "", component = "unknown", message = raw] = eventLine.exec(raw) ?? [];
  const template = templates.find((one) => one.component === component && one.pattern.test(message));
  return {
    id: `e${index + 1}`,
    file: null,
    line: index + 1,
    timestamp: readTime(time),
    level: findLevel(message),
    component,
    template_id: template?.id ?? `S${component}`,
    message,
    raw: raw.replaceAll("\n", " "),
    why: ["trace"],
  };
}

/** Epoch milliseconds with the fraction that Date.parse drops. */
function readTime(time: string): number | null {
  const whole = Date.parse(time.replace(/(\.\d{3})\d+/, "$1"));
  if (Number.isNaN(whole)) return null;
  const fraction = /\.\d{3}(\d+)/.exec(time)?.[1];
  return whole + (fraction ? Number(`0.${fraction}`) : 0);
}

function findLevel(text: string): Level | null {
  const keyed = /["']?(?:severity|level|lvl)["']?\s*[:=]\s*["']?(\w+)/i.exec(text)?.[1];
  const plain = /\b(TRACE|DEBUG|INFO|WARN(?:ING)?|ERROR|FATAL|CRITICAL)\b/.exec(text.slice(0, 200))?.[1];
  const word = (keyed ?? plain)?.toUpperCase();
  const level = word === "WARNING" ? "WARN" : word === "CRITICAL" ? "FATAL" : word;
  return levels.includes(level as Level) ? (level as Level) : null;
}

function buildPattern(template: string): RegExp {
  const escaped = template
    .trim()
    .split("<*>")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&").replace(/\s+/g, "\\s+"));
  return new RegExp(`^\\s*${escaped.join(".*?")}`, "s");
}
