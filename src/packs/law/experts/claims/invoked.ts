import {
  type CaseFile,
  findEvidence,
  findRelations,
  isPure,
  measureOverlap,
  type NormRelation,
} from "../../../../knowledge/law/index.ts";
import type { Agent, Claim } from "../../schemas/agent-output.ts";

/** Whether a question is of one law only, and not of this agent's. */
export function isForeign(file: CaseFile, agent: Agent): boolean {
  return isPure(file) && file.route.label !== (agent === "NLA" ? "pure_national" : "pure_adat");
}

/**
 * Whether a question calls for what a claim rests on, whatever the question looks like at first: it cites it, or it names
 * this people, and the other law is known to answer differently what its parties dispute, or alike what it asks of both.
 */
export function isInvoked(file: CaseFile, { evidence }: Claim): boolean {
  const { read: query, route, retrieval, pool = retrieval.evidence } = file;
  if (evidence.some((id) => findEvidence(file, id)?.found_by.includes("citation"))) return true;
  if (retrieval.communities.length === 0) return false;
  const all = pool.map(({ id }) => id);
  const { national, adat, conflict } = route.scores;
  const kinds: NormRelation["kind"][] = [
    ...(conflict > 0 ? (["conflict"] as const) : []),
    ...(national > 0 && adat > 0 ? (["agreement"] as const) : []),
  ];
  const relations = [...findRelations(kinds, all, evidence), ...findRelations(kinds, evidence, all)];
  return relations.some((relation) => relation.adat.length > 0 && measureOverlap(query, relation) >= closeOverlap);
}

/** How much of the issue the question itself must name. */
const closeOverlap = 1.5;
