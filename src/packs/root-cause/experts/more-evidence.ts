import { analyse } from "../analysis/analyse.ts";
import type { Evidence, Hypothesis } from "../hypothesis.ts";
import type { ReasonerInput } from "../roles/reasoner-input.ts";
import { evidenceFrom } from "./wording.ts";

/** Evidence for a hypothesis that it does not cite yet, from what its author may see; at most up to `most` in all. */
export function moreEvidence(hypothesis: Hypothesis, input: ReasonerInput, most: number): Evidence[] {
  const cited = new Set(hypothesis.evidence.map(({ kind, ref }) => `${kind} ${ref}`));
  const found = [...fromLog(hypothesis, input), ...fromHistory(hypothesis, input)];
  const room = Math.max(0, most - hypothesis.evidence.length);
  return found.filter(({ kind, ref }) => !cited.has(`${kind} ${ref}`)).slice(0, room);
}

function fromLog(hypothesis: Hypothesis, { reasoner, incident: { log } }: ReasonerInput): Evidence[] {
  if (reasoner === "kg_focused") return [];
  const { suspects, noFault } = analyse(log);
  if (hypothesis.category === "none") return evidenceFrom(log, noFault.findings, 8);
  const alike = suspects.filter(({ category }) => category === hypothesis.category);
  const own = alike.find(({ place }) => place !== null && hypothesis.affected_components.includes(place)) ?? alike[0];
  return own ? evidenceFrom(log, own.findings, 8) : [];
}

function fromHistory(hypothesis: Hypothesis, { reasoner, incident: { knowledge } }: ReasonerInput): Evidence[] {
  if (reasoner === "log_focused") return [];
  const alike = (knowledge?.similar_incidents ?? []).filter(({ category }) => category === hypothesis.category);
  return alike.slice(0, 2).map(({ incident_id, cause }) => ({ kind: "kg", ref: incident_id, quote: cause }));
}
