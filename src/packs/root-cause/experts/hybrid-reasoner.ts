import {
  analyse,
  combineStrengths,
  type Knowledge,
  type SimilarIncident,
  type Suspect,
} from "../../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import type { ReasonerInput } from "../roles/role-inputs.ts";
import { mostHypotheses, type SalvagedReply } from "../schemas/hypothesis.ts";
import { rateIncident, isAtHome, stateIncident } from "./kg-reasoner.ts";
import { rateSuspect } from "./log-reasoner.ts";
import { numberHypotheses, roundConfidence } from "./number-hypotheses.ts";
import { stateNoFault, stateSuspect } from "./wording.ts";

/** How much a past incident of the same kind adds to what the log shows. */
const historyWeight = 0.35;
/** A cause that history alone suggests is worth this much of what the history reasoner makes of it. */
const historyAlone = 0.6;

/** The hybrid reasoner: the log's suspects, each weighed with the past incidents of its kind (root-cause spec §4.6). */
export function proposeHybrid({ incident: { log, knowledge } }: ReasonerInput): SalvagedReply {
  const { suspects, noFault } = analyse(log);
  const past = knowledge?.similar_incidents ?? [];
  const placed = suspects.slice(0, mostHypotheses).map((suspect) => fuse(log, suspect, past));
  const covered = new Set(suspects.map(({ category }) => category));
  const unseen = past.filter(({ category }) => !covered.has(category) && category !== "none").slice(0, 1);
  const routine = past.find(({ category }) => category === "none");
  const quiet = {
    ...stateNoFault(log, noFault),
    confidence: roundConfidence(
      Math.min(
        0.95,
        combineStrengths([noFault.score, routine ? historyWeight * rateIncident(routine, log) * noFault.score : 0]),
      ),
    ),
  };
  if (routine) quiet.evidence.push({ kind: "kg", ref: routine.incident_id, quote: routine.cause });
  const historical = unseen.map((incident) => stateFromHistory(log, incident, knowledge));
  return numberHypotheses(
    [...placed, ...historical, quiet],
    "hybrid",
    "neither the log nor history suggests more causes",
  );
}

function fuse(log: ParsedLog, suspect: Suspect, past: SimilarIncident[]) {
  const stated = stateSuspect(log, suspect, "brief");
  const sameKind = past.filter((incident) => incident.category === suspect.category);
  const alike = sameKind.find(isAtHome) ?? sameKind[0];
  const support = alike ? historyWeight * rateIncident(alike, log) : 0;
  const confidence = roundConfidence(Math.min(0.97, combineStrengths([rateSuspect(suspect), support])));
  if (!alike) return { ...stated, confidence };
  return {
    ...stated,
    confidence,
    reasoning: `${stated.reasoning} A past incident of this kind: "${alike.title}" (${alike.incident_id}, similarity ${alike.similarity}).`,
    evidence: [...stated.evidence, { kind: "kg" as const, ref: alike.incident_id, quote: alike.cause }],
    suggested_resolution: [
      ...new Set([...stated.suggested_resolution, ...(isAtHome(alike) ? alike.resolution : [])]),
    ].slice(0, 5),
  };
}

function stateFromHistory(log: ParsedLog, incident: SimilarIncident, knowledge: Knowledge | null) {
  const paths = knowledge ?? {
    incidents: 0,
    similar_incidents: [],
    causal_paths: [],
    entity_context: {},
    patterns: [],
  };
  return {
    ...stateIncident(log, incident, paths),
    confidence: roundConfidence(historyAlone * rateIncident(incident, log)),
  };
}
