import {
  analyse,
  combineStrengths,
  isAtHome,
  type Knowledge,
  type SimilarIncident,
  type Suspect,
  weighMatch,
} from "../../../knowledge/incidents/index.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import type { ReasonerInput } from "../roles/role-inputs.ts";
import { citeLine } from "../rules/cite-line.ts";
import { mostHypotheses, type SalvagedReply } from "../schemas/hypothesis.ts";
import { rateIncident, stateIncident } from "./kg-reasoner.ts";
import { pickHeadsFirst, rateSuspect } from "./log-reasoner.ts";
import { numberHypotheses, roundConfidence } from "./number-hypotheses.ts";
import { gatherEvidence, stateNoFault, stateSuspect } from "./wording.ts";

/** How much a past incident of the same kind adds to what the log shows. */
const historyWeight = 0.35;
/** A cause that history alone suggests is worth this much of what the history reasoner makes of it. */
const historyAlone = 0.6;

/** The hybrid reasoner: the log's suspects weighed with the past incidents of their kind, and what both settle (root-cause spec §4.6). */
export function proposeHybrid({ incident: { log, knowledge } }: ReasonerInput): SalvagedReply {
  const { suspects, noFault } = analyse(log);
  const past = knowledge?.similar_incidents ?? [];
  const settled = knowledge ? past.filter((one) => weighMatch(one).settles).slice(0, 1) : [];
  const room = mostHypotheses - settled.length;
  const placed = pickHeadsFirst(suspects, ({ strand }) => strand)
    .slice(0, room)
    .map((suspect) => fuse(log, suspect, past));
  const covered = new Set([...suspects, ...settled].map(({ category }) => category));
  const unseen = past.filter(({ category }) => !covered.has(category) && category !== "none").slice(0, 1);
  const routine = past.find(({ category }) => category === "none");
  const support = routine ? historyWeight * rateIncident(routine, log) * noFault.score : 0;
  const quiet = {
    ...stateNoFault(log, noFault),
    confidence: roundConfidence(Math.min(0.95, combineStrengths([noFault.score, support]))),
  };
  if (routine) quiet.evidence.push({ kind: "kg", ref: routine.incident_id, quote: routine.cause });
  return numberHypotheses(
    [
      ...(knowledge ? settled.map((incident) => stateSettled(log, incident, knowledge, suspects)) : []),
      ...placed,
      ...(knowledge ? unseen.map((incident) => stateFromHistory(log, incident, knowledge)) : []),
      quiet,
    ],
    "hybrid",
    "neither the log nor history suggests more causes",
  );
}

/** A confirmed incident that settles the matter, with the lines of this log that show the same kind of trouble. */
function stateSettled(log: ParsedLog, incident: SimilarIncident, knowledge: Knowledge, suspects: Suspect[]) {
  const stated = stateIncident(log, incident, knowledge);
  const same = suspects.find(({ category }) => category === incident.category) ?? suspects[0];
  const lines = same ? gatherEvidence(log, same.findings.slice(0, 2), 2) : [];
  const cited = new Set(stated.evidence.map(({ ref }) => ref));
  return {
    ...stated,
    evidence: [...stated.evidence, ...lines.filter(({ ref }) => !cited.has(ref))],
    confidence: rateIncident(incident, log),
  };
}

function fuse(log: ParsedLog, suspect: Suspect, past: SimilarIncident[]) {
  const stated = stateSuspect(log, suspect, "brief");
  const sameKind = past.filter((incident) => isOfKind(incident, suspect, log));
  const alike = sameKind.find(isAtHome) ?? sameKind[0];
  const support = alike ? historyWeight * rateIncident(alike, log) : 0;
  const confidence = roundConfidence(Math.min(0.97, combineStrengths([rateSuspect(suspect, log), support])));
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

/** A past incident speaks for a suspect of its category when it knows an error or a message that the suspect rests on. */
function isOfKind({ category, matched }: SimilarIncident, suspect: Suspect, log: ParsedLog): boolean {
  if (category !== suspect.category) return false;
  const own = new Set(
    suspect.findings.flatMap(({ lines }) => lines.map(({ line, file }) => String(citeLine(log, line, file)))),
  );
  const texts = new Set(suspect.findings.flatMap(({ texts: said = [] }) => said));
  return (
    matched.errors.some(({ line }) => own.has(String(line))) || matched.events.some((text) => texts.has(text.trim()))
  );
}

function stateFromHistory(log: ParsedLog, incident: SimilarIncident, knowledge: Knowledge) {
  const confidence = roundConfidence(historyAlone * rateIncident(incident, log));
  return { ...stateIncident(log, incident, knowledge), confidence };
}
