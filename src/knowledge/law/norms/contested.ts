import type { CaseFile } from "../case/case-file.ts";
import { measureOverlap, findRelations } from "./norm-relations.ts";

/** How much of a known clash the question itself must name. */
const strongOverlap = 3;

/** A question of one law only: its label says so, and it does not set parties against each other on a known clash of norms. */
export function isPure(file: CaseFile): boolean {
  const { label } = file.route;
  return (label === "pure_national" || label === "pure_adat") && !isContested(file);
}

/** A question that names one law, but whose parties dispute what both laws are known to answer differently; a caller's hint is not doubted. */
function isContested({ read: query, domain_hint, route, retrieval, pool = retrieval.evidence }: CaseFile): boolean {
  if (domain_hint !== null || route.scores.conflict <= 0 || retrieval.communities.length === 0) return false;
  const ids = pool.map(({ id }) => id);
  return findRelations(["conflict"], ids, ids).some((relation) => measureOverlap(query, relation) >= strongOverlap);
}
