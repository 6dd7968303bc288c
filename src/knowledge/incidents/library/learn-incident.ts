import { levels, type ParsedLog } from "../../logs/index.ts";
import { listCalls } from "../clues/call-graph.ts";
import { buildQuery, listTold, tellError } from "../compare/build-query.ts";
import { type CausalLink, type Incident, IncidentSchema } from "../schemas/incident.ts";

/** What a person confirmed about an incident. */
export type ConfirmedCause = Pick<Incident, "id" | "title" | "cause" | "category"> &
  Partial<Pick<Incident, "system" | "symptoms" | "resolution" | "context" | "chain" | "confidence">>;

const mostTemplates = 30;
const mostCalls = 100;

/**
 * An incident from a log whose cause a person confirmed: its telling templates in the order of the log, its errors, its
 * kinds of entities and who called whom. The system's own guess never gets here by itself (root-cause spec §3.3).
 */
export function learnIncident(log: ParsedLog, confirmed: ConfirmedCause): Incident {
  const errors = listTold(log)
    .slice(0, 12)
    .map((error) => ({ type: error.error_type, message: tellError(error).slice(0, 300) }));
  const calls = listCalls(log).slice(0, mostCalls);
  return IncidentSchema.parse({
    source: "learned",
    confidence: 0.8,
    templates: pickTemplates(log),
    errors,
    entities: buildQuery(log).entities.slice(0, 20),
    chain: startChain(confirmed.cause, log),
    ...(calls.length > 0 && { calls }),
    ...confirmed,
  });
}

/** Templates that a healthy log would not have: severe ones and those that name trouble, the rarest first. */
function pickTemplates(log: ParsedLog): string[] {
  const telling = new Set(
    buildQuery(log)
      .templates.filter(({ salient }) => salient)
      .map(({ text }) => text),
  );
  const severity = (level: string | null) => (level === null ? 1 : levels.indexOf(level as (typeof levels)[number]));
  return log.templates
    .filter(({ template }) => telling.has(template) && template.trim() !== "")
    .sort((a, b) => severity(b.level) - severity(a.level) || a.count - b.count)
    .slice(0, mostTemplates)
    .map(({ template }) => template.slice(0, 400));
}

/** From the confirmed cause to the first error that was seen. */
function startChain(cause: string, log: ParsedLog): CausalLink[] {
  const [first] = log.error_messages.toSorted((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0) || a.line - b.line);
  return first ? [{ cause, effect: first.error_type, confidence: 0.8, delay_seconds: 0 }] : [];
}
