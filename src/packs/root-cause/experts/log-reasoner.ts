import { analyse } from "../analysis/analyse.ts";
import { noisyOr } from "../analysis/finding.ts";
import type { Suspect } from "../analysis/suspects.ts";
import { least, most, type SalvagedReply } from "../roles/check-hypotheses.ts";
import type { ReasonerInput } from "../roles/reasoner-input.ts";
import { stateNoFault, stateSuspect } from "./wording.ts";

const worthSaying = 0.05;

/** The log reasoner: what the log's signs, errors, peers and delays add up to, place by place (root-cause §4). */
export function proposeFromLog({ incident: { log } }: ReasonerInput): SalvagedReply {
  const { suspects, noFault } = analyse(log);
  const stated = suspects
    .map((suspect) => ({ suspect, confidence: plausibility(suspect) }))
    .filter(({ confidence }) => confidence >= worthSaying)
    .sort((a, b) => b.confidence - a.confidence)
    .slice(0, most - 1)
    .map(({ suspect, confidence }) => ({ ...stateSuspect(log, suspect, "brief"), confidence }));
  const quiet = { ...stateNoFault(log, noFault), confidence: round(noFault.score) };
  return numbered([...stated, quiet], "log", "the log shows no more signs of trouble");
}

/** What the findings of a place say together, before anyone asks what else the log shows. */
export function plausibility({ findings }: Suspect): number {
  const strongest = new Map<string, number>();
  for (const { sign, strength } of findings) strongest.set(sign, Math.max(strength, strongest.get(sign) ?? 0));
  return round(Math.min(0.97, noisyOr([...strongest.values()])));
}

type Unnumbered = Omit<SalvagedReply["hypotheses"][number], "id">;

/** Gives ids in the order of confidence, and says why there are fewer than three if so. */
export function numbered(hypotheses: Unnumbered[], prefix: string, why: string): SalvagedReply {
  const ordered = hypotheses.toSorted((a, b) => b.confidence - a.confidence).slice(0, most);
  return {
    hypotheses: ordered.map((hypothesis, index) => ({ id: `${prefix}_${index + 1}`, ...hypothesis })),
    fewer_reason: ordered.length < least ? why : null,
  };
}

export function round(value: number): number {
  return Math.round(value * 100) / 100;
}
