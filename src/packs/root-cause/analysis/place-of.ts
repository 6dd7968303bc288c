import { type Blame, blameIn } from "./blame.ts";
import type { LogEvent, LogTemplate, ParsedLog } from "../logs/parsed-log.ts";

/** Names the place that an event or a template belongs to. */
export type PlaceOf = {
  event(event: LogEvent): string | null;
  template(template: LogTemplate): string | null;
  /** Whom a failed call blames, when the message says so. */
  blamed: Blame;
};

/** The service that the line's header names, else the component, else the file when there are several. */
export function placesIn(log: ParsedLog): PlaceOf {
  const services = log.entities.filter(({ type }) => type === "service").map(({ name }) => name);
  const event = (event: LogEvent) => serviceOf(event, services) ?? event.component ?? fileOf(log, event.file);
  const kept = new Map<string, LogEvent>();
  for (const one of log.events) if (!kept.has(one.template_id)) kept.set(one.template_id, one);
  return {
    blamed: blameIn(log),
    event,
    template: (template) => {
      const sample = kept.get(template.id);
      return sample ? event(sample) : (template.component ?? fileOf(log, template.file));
    },
  };
}

function serviceOf({ raw, message }: LogEvent, services: string[]): string | null {
  const [first = ""] = raw.split("\n");
  const end = first.indexOf((message.split("\n")[0] ?? "").slice(0, 60));
  const header = ` ${end > 0 ? first.slice(0, end) : ""} `;
  return services.find((name) => header.includes(` ${name} `) || header.includes(`[${name}]`)) ?? null;
}

function fileOf(log: ParsedLog, file: string | null): string | null {
  if (file === null || log.sources.length < 2) return null;
  return file.replace(/^.*[\\/]/, "").replace(/\.(?:log|txt|out|gz)\b.*$/i, "") || null;
}
