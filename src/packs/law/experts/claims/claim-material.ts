import { dice } from "../../../../text/dice.ts";
import {
  type CaseFile,
  type Conclusion,
  type Domain,
  type RetrievedEvidence,
  extractTerms,
} from "../../../../knowledge/law/index.ts";
import type { Agent } from "../../schemas/agent-output.ts";
import { selectRelevant } from "./relevance.ts";

/** What one claim is built from: a source, others that say the same, and what the rules conclude from it for this case. */
export type Material = { lead: RetrievedEvidence; supports: RetrievedEvidence[]; applications: Conclusion[] };

export const sideOf: Record<Agent, Domain> = { NLA: "national", ALA: "adat" };

const maxMaterials = 6;
const maxGraphSupports = 2;
const sameStatement = 0.5;
const sameConclusion = 0.75;

/** The material for an agent's claims: its side's relevant sources, best first, with those that say the same put together. */
export function gatherMaterial(file: CaseFile, agent: Agent): Material[] {
  const materials: Material[] = [];
  for (const item of selectRelevant(file, sideOf[agent])) {
    const host = materials.find(({ lead }) => saysTheSame(lead, item));
    if (host) host.supports.push(item);
    else if (materials.length < maxMaterials) materials.push({ lead: item, supports: [], applications: [] });
  }
  return addApplications(file, materials).map((material) => addGraph(file, material));
}

/** Independent sources that agree: another statute, code or decision on the same topic in much the same words. */
function saysTheSame(a: RetrievedEvidence, b: RetrievedEvidence): boolean {
  if (nameInstrument(a) === nameInstrument(b) || !a.topics.some((topic) => b.topics.includes(topic))) return false;
  const [left, right] = [new Set(extractTerms(a.statement, "id")), new Set(extractTerms(b.statement, "id"))];
  return dice(left, right) >= sameStatement;
}

function nameInstrument({ id, kind, community }: RetrievedEvidence): string {
  return kind === "jurisprudence" ? id : (community ?? id.split("-").slice(0, 2).join("-"));
}

/** Adds what the rules that formalise a source conclude for this case; each conclusion goes to the first source it rests on. */
function addApplications({ retrieval }: CaseFile, materials: Material[]): Material[] {
  const said = new Set<string>();
  return materials.map((material) => {
    const own = new Set([material.lead, ...material.supports].map(({ id }) => id));
    const rules = retrieval.evidence.filter(
      ({ kind, related }) => kind === "rule" && related.some((id) => own.has(id)),
    );
    const ids = new Set(rules.map(({ id }) => id));
    const applications = retrieval.rules.conclusions.filter(
      ({ fact, by, statement }) =>
        by.some((id) => ids.has(id)) && !said.has(fact) && !isRepeated(material.lead, statement),
    );
    for (const { fact } of applications) said.add(fact);
    const fired = new Set(retrieval.rules.conclusions.flatMap(({ by }) => by));
    return { ...material, supports: [...material.supports, ...rules.filter(({ id }) => fired.has(id))], applications };
  });
}

/** A conclusion that only says again what its source says adds nothing. */
function isRepeated(lead: RetrievedEvidence, statement: string): boolean {
  const [said, known] = [new Set(extractTerms(statement, "id")), new Set(extractTerms(lead.statement, "id"))];
  return said.size === 0 || said.intersection(known).size / said.size >= sameConclusion;
}

/** Adds the graph relations that were read from the source. */
function addGraph({ retrieval }: CaseFile, material: Material): Material {
  const near = retrieval.graph.filter(({ sources }) => sources.includes(material.lead.id)).slice(0, maxGraphSupports);
  const ids = new Set(near.map(({ evidence }) => evidence));
  return { ...material, supports: [...material.supports, ...retrieval.evidence.filter(({ id }) => ids.has(id))] };
}
