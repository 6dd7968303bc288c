import { findCitedLine, citeLine } from "../rules/cite-line.ts";
import { type Evidence, mostHypotheses, type SalvagedReply } from "../schemas/hypothesis.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import { type Knowledge, type SimilarIncident, weighMatch } from "../../../knowledge/incidents/index.ts";
import type { ReasonerInput } from "../roles/role-inputs.ts";
import { numberHypotheses, roundConfidence } from "./number-hypotheses.ts";

/** The history reasoner: past incidents that look like this one, and whether their causes would explain it. */
export function proposeFromHistory({ incident: { log, knowledge } }: ReasonerInput): SalvagedReply | null {
  if (!knowledge || knowledge.similar_incidents.length === 0) return null;
  const stated = knowledge.similar_incidents.slice(0, mostHypotheses).map((incident) => ({
    ...stateIncident(log, incident, knowledge),
    confidence: rateIncident(incident, log),
  }));
  return numberHypotheses(stated, "kg", "no more past incidents look like this one");
}

/** How sure a past incident is: as its match says; "no fault" only as far as it knows the errors seen now. */
export function rateIncident(incident: SimilarIncident, log: ParsedLog): number {
  const { strength } = weighMatch(incident);
  const known = incident.matched.errors.length / Math.max(1, log.error_messages.length);
  return roundConfidence(incident.category === "none" ? strength * (0.3 + 0.7 * Math.min(1, known)) : strength);
}

/** A past incident as a hypothesis about this one. */
export function stateIncident(log: ParsedLog, incident: SimilarIncident, knowledge: Knowledge) {
  const { incident_id, title, cause, category, matched, resolution, source } = incident;
  const path = knowledge.causal_paths.find(({ incident_ids }) => incident_ids.includes(incident_id));
  const seen = [...matched.errors.map(({ error_type }) => error_type), ...matched.events].slice(0, 4);
  return {
    hypothesis: source === "starter" ? placeCause(cause, log, incident) : cause,
    reasoning: `This looks like "${title}" (${incident_id}, similarity ${incident.similarity}): both show ${seen.map((one) => `"${one.slice(0, 90)}"`).join(", ")}.${path ? ` There the chain was ${path.steps.join(" → ")}.` : ""}`,
    evidence: [...quoteErrors(log, incident), { kind: "kg" as const, ref: incident_id, quote: cause }],
    category,
    affected_components: listAffected(log, incident),
    causal_path: path?.steps.slice(0, 6) ?? (category === "none" ? [] : [cause, ...seen.slice(0, 2)]),
    suggested_resolution: resolution,
    changes_made: null,
    from: null,
  };
}

/** A cause that was written for any system, with who shows it here and in what words. */
function placeCause(cause: string, log: ParsedLog, incident: SimilarIncident): string {
  const [error] = incident.matched.errors;
  const [place] = listAffected(log, incident);
  if (!error || incident.category === "none") return cause;
  const words = (error.message.split("\n")[0] ?? "").slice(0, 160).trim();
  return `${cause}; here ${place ?? "the log"} says: ${words}`;
}

/** The lines of the matched errors that can be quoted. */
function quoteErrors(log: ParsedLog, { matched }: SimilarIncident): Evidence[] {
  return matched.errors.slice(0, 3).flatMap(({ line }) => {
    const file = log.error_messages.find((error) => error.line === line)?.file ?? null;
    const ref = citeLine(log, line, file);
    const text = findCitedLine(log, ref)?.trim().slice(0, 240).trim();
    return text ? [{ kind: "log" as const, ref, quote: text }] : [];
  });
}

function listAffected(log: ParsedLog, { matched, category }: SimilarIncident): string[] {
  if (category === "none") return [];
  const lines = new Set(matched.errors.map(({ line }) => line));
  const components = log.error_messages
    .filter(({ line }) => lines.has(line))
    .flatMap(({ component }) => component ?? []);
  return [...new Set([...components, ...matched.entities])].slice(0, 5);
}
