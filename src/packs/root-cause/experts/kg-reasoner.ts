import { citedLine, lineRef } from "../evidence-ref.ts";
import type { Evidence } from "../hypothesis.ts";
import type { ParsedLog } from "../logs/parsed-log.ts";
import type { Knowledge } from "../retrieval/retrieve.ts";
import type { SimilarIncident } from "../retrieval/similar.ts";
import { most, type SalvagedReply } from "../roles/check-hypotheses.ts";
import type { ReasonerInput } from "../roles/reasoner-input.ts";
import { numbered, round } from "./log-reasoner.ts";

/** The history reasoner: past incidents that look like this one, and whether their causes would explain it. */
export function proposeFromHistory({ incident: { log, knowledge } }: ReasonerInput): SalvagedReply | null {
  if (!knowledge || knowledge.similar_incidents.length === 0) return null;
  const stated = knowledge.similar_incidents
    .slice(0, most)
    .map((incident) => ({ ...stateIncident(log, incident, knowledge), confidence: confidenceOf(incident, log) }));
  return numbered(stated, "kg", "no more past incidents look like this one");
}

/** How far a past incident carries over: by its similarity, its own certainty, and the share of the errors it knows. */
export function confidenceOf(incident: SimilarIncident, log: ParsedLog): number {
  const { similarity, confidence, matched, category } = incident;
  const known = matched.errors.length / Math.max(1, log.error_messages.length);
  const carries = category === "none" ? similarity * (0.3 + 0.7 * known) : Math.sqrt(similarity) * 0.9;
  return round(Math.min(0.9, carries * confidence * (isAtHome(incident) ? 1 : elsewhere)));
}

/** What happened to another system carries over less, and its remedies not at all. */
const elsewhere = 0.6;
const anySystem = new Set(["linux", "services", "network", "unknown"]);

/** Whether an incident is of this system: something of it was seen here, or it could have happened anywhere. */
export function isAtHome({ matched, system }: SimilarIncident): boolean {
  return matched.entities.length > 0 || anySystem.has(system);
}

/** A past incident as a hypothesis about this one. */
export function stateIncident(log: ParsedLog, incident: SimilarIncident, knowledge: Knowledge) {
  const { incident_id, title, cause, category, matched, resolution } = incident;
  const path = knowledge.causal_paths.find(({ incident_ids }) => incident_ids.includes(incident_id));
  const seen = [...matched.errors.map(({ error_type }) => error_type), ...matched.events].slice(0, 4);
  return {
    hypothesis: cause,
    reasoning: `This looks like "${title}" (${incident_id}, similarity ${incident.similarity}): both show ${seen.map((one) => `"${one.slice(0, 90)}"`).join(", ")}.${path ? ` There the chain was ${path.steps.join(" → ")}.` : ""}`,
    evidence: [...linesOf(log, incident), { kind: "kg" as const, ref: incident_id, quote: cause }],
    category,
    affected_components: affectedBy(log, incident),
    causal_path: path?.steps.slice(0, 6) ?? (category === "none" ? [] : [cause, ...seen.slice(0, 2)]),
    suggested_resolution: resolution,
    changes_made: null,
    from: null,
  };
}

/** The lines of the matched errors that can be quoted. */
function linesOf(log: ParsedLog, { matched }: SimilarIncident): Evidence[] {
  return matched.errors.slice(0, 3).flatMap(({ line }) => {
    const file = log.error_messages.find((error) => error.line === line)?.file ?? null;
    const ref = lineRef(log, line, file);
    const text = citedLine(log, ref)?.trim().slice(0, 240).trim();
    return text ? [{ kind: "log" as const, ref, quote: text }] : [];
  });
}

function affectedBy(log: ParsedLog, { matched, category }: SimilarIncident): string[] {
  if (category === "none") return [];
  const lines = new Set(matched.errors.map(({ line }) => line));
  const components = log.error_messages
    .filter(({ line }) => lines.has(line))
    .flatMap(({ component }) => component ?? []);
  return [...new Set([...components, ...matched.entities])].slice(0, 5);
}
