import { type CausalLink, type Incident, IncidentSchema } from "../../contract/incident.ts";
import type { ParsedLog } from "../../contract/parsed-log.ts";
import { comparable, findProof, isTelling, troubleWords } from "./words.ts";

export type ConfirmedCause = Pick<Incident, "id" | "title" | "cause" | "category"> &
  Partial<Pick<Incident, "system" | "symptoms" | "resolution" | "context" | "chain" | "confidence" | "proof">>;

const mostTemplates = 30;

/** Makes an incident from a log whose cause a person confirmed; the system's own guess is never learned (root-cause spec §3.3). */
export function learnIncident(log: ParsedLog, confirmed: ConfirmedCause): Incident {
  const severe = ({ level }: { level: string | null }) => level === "WARN" || level === "ERROR" || level === "FATAL";
  const usual = ({ change }: { change: string | null }) => change === "same" || change === "less";
  const templates = log.templates
    .filter((one) => one.template.trim() !== "" && !usual(one) && (severe(one) || troubleWords.test(one.template)))
    .toSorted((a, b) => Number(severe(b)) - Number(severe(a)) || a.count - b.count)
    .map(({ template }) => template.slice(0, 400));
  const evidence = gatherEvidence(log, confirmed.cause, templates);
  return IncidentSchema.parse({ source: "learned", confidence: 0.8, ...evidence, ...confirmed });
}

/** What tells an incident by its log: relevant templates, errors, the messages that prove the cause, kinds of entities. */
export function gatherEvidence(log: ParsedLog, cause: string, templates: readonly string[]) {
  const errors = log.error_messages
    .filter((error) => isTelling(error.cause ?? error.message))
    .slice(0, 12)
    .map((error) => ({ type: error.error_type, message: (error.cause ?? error.message).slice(0, 300) }));
  return {
    templates: templates.slice(0, mostTemplates),
    errors,
    proof: findProof(cause, [...templates, ...errors.map(({ message }) => message)]),
    entities: log.entities
      .filter(({ type }) => comparable.has(type))
      .slice(0, 20)
      .map(({ type, name }) => ({ type, name })),
    chain: startChain(cause, log),
  };
}

function startChain(cause: string, log: ParsedLog): CausalLink[] {
  const [first] = log.error_messages.toSorted((a, b) => (a.timestamp ?? 0) - (b.timestamp ?? 0) || a.line - b.line);
  return first ? [{ cause, effect: first.error_type, confidence: 0.8, delay_seconds: 0 }] : [];
}
