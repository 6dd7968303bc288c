import { type Blame, createBlame } from "./create-blame.ts";
import type { LogEvent, LogTemplate, ParsedLog } from "../../logs/index.ts";

/** Names the place that an event or a template belongs to. */
export type Places = {
  event(event: LogEvent): string | null;
  template(template: LogTemplate): string | null;
  /** The machine that the line's header names. */
  host(event: LogEvent | undefined): string | null;
  /** An event of this template, when one was kept. */
  sampleOf(template: LogTemplate): LogEvent | undefined;
  /** The component that a failed call blames, when the message says so. */
  blamed: Blame;
};

/** The service that the line's header names, else the component, else the file when there are several. */
export function createPlaces(log: ParsedLog): Places {
  const names = (...types: string[]) => log.entities.filter(({ type }) => types.includes(type)).map(({ name }) => name);
  const services = names("service");
  const hosts = names("host", "node");
  const event = (event: LogEvent) =>
    findProcess(event) ??
    event.service ??
    findNamed(event, services) ??
    componentOf(event) ??
    findBracketed(event) ??
    fileOf(log, event.file);
  const kept = new Map<string, LogEvent>();
  for (const one of log.events) if (!kept.has(one.template_id)) kept.set(one.template_id, one);
  return {
    blamed: createBlame(log),
    host: (one) => (one ? (one.host ?? findNamed(one, hosts)) : null),
    sampleOf: ({ id }) => kept.get(id),
    event,
    template: (template) => {
      const sample = kept.get(template.id);
      return sample ? event(sample) : (componentOf(template) ?? fileOf(log, template.file));
    },
  };
}

/** The process that a line of the kernel is about: `searchd[812]: segfault`. */
function findProcess({ component, message }: LogEvent): string | null {
  return component === "kernel" ? (/^([a-z][\w.-]*)\[\d+\]:/i.exec(message)?.[1] ?? null) : null;
}

/** What stands on the first line before the message. */
function cutHeader({ raw, message }: LogEvent): string {
  const [first = ""] = raw.split("\n");
  const end = first.indexOf((message.split("\n")[0] ?? "").slice(0, 60));
  return end > 0 ? first.slice(0, end) : "";
}

function findNamed(event: LogEvent, names: string[]): string | null {
  const header = ` ${cutHeader(event)} `;
  return names.find((name) => header.includes(` ${name} `) || header.includes(`[${name}]`)) ?? null;
}

/** Words that stand where a name could, and name nothing. */
const nameless =
  /(?:Exception|Error|Throwable)$|^(?:trace|debug|info|notice|warn(?:ing)?|wrn|inf|dbg|error|err|severe|failure|fatal|crit(?:ical)?|null|none|undefined|-)$/i;

/** The component, unless what stands there is an exception that the line begins with, or a level. */
function componentOf({ component }: { component: string | null }): string | null {
  return component !== null && nameless.test(component) ? null : component;
}

const threadName = /^(?:main|.*thread.*|pool-.*|http-nio.*|exec.*|worker-?\d*|scheduling.*|reactor.*|nioEventLoop.*)$/i;

/** A name in brackets before the message: many programs print their own there, others a thread. */
function findBracketed(event: LogEvent): string | null {
  const name = [...cutHeader(event).matchAll(/\[([a-z][a-z0-9._-]*)\]/gi)].at(-1)?.[1];
  return name === undefined || threadName.test(name) || nameless.test(name) ? null : name;
}

function fileOf(log: ParsedLog, file: string | null): string | null {
  if (file === null || log.sources.length < 2) return null;
  return file.replace(/^.*[\\/]/, "").replace(/\.(?:log|txt|out|gz)\b.*$/i, "") || null;
}
