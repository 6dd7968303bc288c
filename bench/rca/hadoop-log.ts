import { type Level, type LogEvent, levels, type LogTemplate, type ParsedLog } from "../../src/knowledge/logs/index.ts";
import { buildLog } from "./build-log.ts";

export type HadoopRow = {
  id: string;
  job: string;
  label: string;
  label_logdelta: string;
  lines: number;
  start: string;
  salient: string[];
  templates: { level: string; component: string; template: string; count: number }[];
};

const eventLine = /^(\d{4}-\d\d-\d\d \d\d:\d\d:\d\d[,.]\d+) (\S+) (\w+) ([\w.$-]+): (.*)$/;
const continuationLine = /^\s+(\S+) (.*)$/;

/** A Hadoop run as a ParsedLog: its salient lines as events (stack traces joined to their events), its templates as counts. */
export function buildHadoopLog(row: HadoopRow): ParsedLog {
  const templates = row.templates.map(
    ({ level, component, template, count }, index): LogTemplate => ({
      id: `T${index + 1}`,
      template,
      count,
      level: readLevel(level),
      component,
      sample: "",
      file: null,
      first_line: null,
      last_line: null,
      first_seen: null,
      last_seen: null,
      spread: 1,
      reference_count: null,
      change: null,
    }),
  );
  return buildLog({ events: buildEvents(row.salient, templates), templates, lines: row.lines, reference: null });
}

function readLevel(level: string): Level | null {
  return levels.includes(level as Level) ? (level as Level) : null;
}

type Draft = {
  container: string;
  level: Level | null;
  component: string | null;
  message: string;
  timestamp: number | null;
  raw: string;
};

function buildEvents(salient: string[], templates: LogTemplate[]): LogEvent[] {
  const drafts = salient.map(draftEvent);
  const joined = joinTraces(drafts);
  const matchers = templates.map((template) => ({
    id: template.id,
    component: template.component,
    pattern: buildPattern(template.template),
  }));
  let line = 1;
  return joined.map((draft, index) => {
    const first = line;
    line += draft.raw.split("\n").length;
    const template = matchers.find(
      ({ component, pattern }) => component === draft.component && pattern.test(draft.message),
    );
    return {
      id: `e${index + 1}`,
      file: null,
      line: first,
      ...(line - first > 1 && { last_line: line - 1 }),
      timestamp: draft.timestamp,
      level: draft.level,
      component: draft.component,
      template_id: template?.id ?? `S${index + 1}`,
      message: draft.message,
      raw: draft.raw,
      why: [],
    };
  });
}

function draftEvent(raw: string): Draft {
  const event = eventLine.exec(raw);
  if (event) {
    const [, time = "", container = "", level = "", component = "", message = ""] = event;
    return {
      container,
      level: readLevel(level),
      component,
      message,
      timestamp: Date.parse(`${time.replace(" ", "T").replace(",", ".")}Z`),
      raw,
    };
  }
  const [, container = "", message = raw] = continuationLine.exec(raw) ?? [];
  return { container, level: null, component: null, message, timestamp: null, raw };
}

/** Continuation lines come after all events, in the order of the events they belong to: joined where the counts agree. */
function joinTraces(drafts: Draft[]): Draft[] {
  const events = drafts.filter(({ timestamp }) => timestamp !== null);
  const loose = Map.groupBy(
    drafts.filter(({ timestamp, raw }) => timestamp === null && !/^\s+\S+ Caused by/.test(raw)),
    ({ container }) => container,
  );
  const rest = drafts.filter(({ timestamp, raw }) => timestamp === null && /^\s+\S+ Caused by/.test(raw));
  for (const [container, lines] of loose) {
    const carriers = events.filter(
      (event) =>
        event.container === container &&
        /exception|error constructing/i.test(event.message) &&
        !/Caused by|add to deadNodes/.test(event.message),
    );
    if (carriers.length === lines.length)
      carriers.forEach((event, index) => (event.raw += `\n${lines[index]?.raw ?? ""}`));
    else rest.push(...lines);
  }
  return [...events, ...rest];
}

function buildPattern(template: string): RegExp {
  const escaped = template
    .trim()
    .split("<*>")
    .map((part) => part.replace(/[.*+?^${}()|[\]\\]/g, "\\$&"));
  return new RegExp(`^${escaped.join(".*?")}`, "s");
}
