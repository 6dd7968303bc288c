import { analyse, type Suspect } from "../../../knowledge/incidents/index.ts";
import type { Evidence, Hypothesis } from "../schemas/hypothesis.ts";
import type { ParsedLog } from "../../../knowledge/logs/index.ts";
import type { ReasonerInput } from "../roles/role-inputs.ts";
import { gatherEvidence, stateSuspect } from "./wording.ts";

/** Evidence for a hypothesis that it does not cite yet, from what its author may see; at most up to `most` in all. */
export function findMoreEvidence(hypothesis: Hypothesis, input: ReasonerInput, most: number): Evidence[] {
  const cited = new Set(hypothesis.evidence.map(({ kind, ref }) => `${kind} ${ref}`));
  const found = [...takeFromLog(hypothesis, input), ...takeFromHistory(hypothesis, input)];
  const room = Math.max(0, most - hypothesis.evidence.length);
  const fresh = found.filter(({ kind, ref }) => !cited.has(`${kind} ${ref}`) && cited.add(`${kind} ${ref}`));
  return fresh.slice(0, room);
}

function takeFromLog(hypothesis: Hypothesis, { reasoner, incident: { log } }: ReasonerInput): Evidence[] {
  if (reasoner === "kg_focused") return [];
  if (hypothesis.category === "none") return gatherEvidence(log, analyse(log).noFault.findings, 8);
  const own = findSuspect(hypothesis, log);
  return own ? [...gatherEvidence(log, own.findings, 8), ...gatherEvidence(log, own.explains, 8)] : [];
}

/** The suspect of the log that a hypothesis is about: of its category, at the place it names. */
function findSuspect({ category, affected_components }: Hypothesis, log: ParsedLog): Suspect | undefined {
  const alike = analyse(log).suspects.filter((suspect) => suspect.category === category);
  return alike.find(({ place }) => place !== null && affected_components.includes(place)) ?? alike[0];
}

type Account = Partial<Pick<Hypothesis, "reasoning" | "causal_path" | "suggested_resolution" | "affected_components">>;

/** The hypothesis told in full: from the log if its author may read it, else with what an ally of the same cause said. */
export function tellInFull(hypothesis: Hypothesis, input: ReasonerInput, ally: Hypothesis | undefined): Account {
  const { log } = input.incident;
  const suspect =
    input.reasoner === "kg_focused" || hypothesis.category === "none" ? undefined : findSuspect(hypothesis, log);
  const told = suspect ? stateSuspect(log, suspect, "full") : ally;
  if (!told) return {};
  const path = told.causal_path.length > hypothesis.causal_path.length ? told.causal_path : hypothesis.causal_path;
  const steps = [...new Set([...hypothesis.suggested_resolution, ...told.suggested_resolution])].slice(0, 6);
  const components = [...new Set([...hypothesis.affected_components, ...told.affected_components])].slice(0, 6);
  const reasoning = suspect ? told.reasoning : hypothesis.reasoning;
  return { reasoning, causal_path: path, suggested_resolution: steps, affected_components: components };
}

/** The past incidents whose cause the hypothesis takes over; another of its category says nothing about it. */
function takeFromHistory(hypothesis: Hypothesis, { reasoner, incident: { knowledge } }: ReasonerInput): Evidence[] {
  if (reasoner === "log_focused") return [];
  const own = (knowledge?.similar_incidents ?? []).filter(({ cause }) => hypothesis.hypothesis.includes(cause));
  return own.slice(0, 2).map(({ incident_id, cause }) => ({ kind: "kg", ref: incident_id, quote: cause }));
}
