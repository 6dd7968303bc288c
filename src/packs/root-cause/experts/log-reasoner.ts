import { analyse, combineStrengths, type Suspect } from "../../../knowledge/incidents/index.ts";
import type { ReasonerInput } from "../roles/role-inputs.ts";
import { mostHypotheses, type SalvagedReply } from "../schemas/hypothesis.ts";
import { numberHypotheses, roundConfidence } from "./number-hypotheses.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import { limitSureness } from "./unexplained.ts";
import { stateNoFault, stateSuspect } from "./wording.ts";

const worthSaying = 0.05;

/** The log reasoner: what the log's signs, errors, peers and delays add up to, place by place (root-cause spec §4.6). */
export function proposeFromLog({ incident: { log } }: ReasonerInput): SalvagedReply {
  const { suspects, noFault } = analyse(log);
  const stated = suspects
    .map((suspect) => ({ suspect, confidence: rateSuspect(suspect, log) }))
    .filter(({ confidence }) => confidence >= worthSaying)
    .sort((a, b) => b.confidence - a.confidence);
  const chosen = pickHeadsFirst(stated, ({ suspect }) => suspect.strand)
    .slice(0, mostHypotheses - 1)
    .map(({ suspect, confidence }) => ({ ...stateSuspect(log, suspect, "brief"), confidence }));
  const quiet = { ...stateNoFault(log, noFault), confidence: roundConfidence(noFault.score) };
  return numberHypotheses([...chosen, quiet], "log", "the log shows no more signs of trouble");
}

/** In the same order, but the first of each of several unrelated incidents before any second one. */
export function pickHeadsFirst<T>(items: readonly T[], strandOf: (item: T) => number | null): T[] {
  const seen = new Set<number | null>();
  const heads = items.filter((item) => !seen.has(strandOf(item)) && seen.add(strandOf(item)));
  return [...heads, ...items.filter((item) => !heads.includes(item))];
}

/** What the findings of a place say together, before anyone asks what else the log shows. */
export function rateSuspect(suspect: Suspect, log: ParsedLog): number {
  const { findings } = suspect;
  const strongest = new Map<string, number>();
  for (const { sign, strength } of findings) strongest.set(sign, Math.max(strength, strongest.get(sign) ?? 0));
  return roundConfidence(Math.min(limitSureness(suspect, log), combineStrengths([...strongest.values()])));
}
