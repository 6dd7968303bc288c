import {
  type CaseFile,
  findMentions,
  findRelations,
  measureOverlap,
  type NormRelation,
  normRelations,
  readAtom,
  selectOnIssue,
} from "../../../../knowledge/law/index.ts";

/** The national rules among these that decide what the question asks, whatever adat says: it names what they decide, or its facts meet them. */
export function findDecisive(file: CaseFile, ids: string[]): NormRelation[] {
  const touched = normRelations.filter(({ national }) => national.some((id) => ids.includes(id)));
  const named = selectOnIssue(file.read, touched).filter(
    (relation) => measureOverlap(file.read, relation) >= namedOverlap,
  );
  const met = new Set(listApplied(file));
  return touched.filter(
    (relation) =>
      relation.kind === "overriding" && (named.includes(relation) || relation.national.some((id) => met.has(id))),
  );
}

/** How much of what a rule decides the question itself must name: a marriage that is only mentioned calls for none. */
const namedOverlap = 2;

/** The sources of the rules that conclude something from the facts of the question. */
function listApplied({ retrieval: { rules, evidence } }: CaseFile): string[] {
  const fired = new Set(rules.conclusions.flatMap(({ by }) => by));
  return evidence.filter(({ id }) => fired.has(id)).flatMap(({ related }) => related);
}

/**
 * What is known to reconcile the norms of a clash and comes closer to the question than the clash itself: they lead to the
 * same result, or national law leaves the matter to adat. A clash over another kind of property than the case's is not near.
 */
export function findReconciling(file: CaseFile, brought: string[], claimed: string[]): NormRelation[] {
  const between = (kinds: NormRelation["kind"][]): NormRelation[] => [
    ...findRelations(kinds, brought, claimed),
    ...findRelations(kinds, claimed, brought),
  ];
  const weigh = (relation: NormRelation): number => measureOverlap(file.read, relation);
  const clashes = between(["conflict"]).filter((relation) => !concernsOtherProperty(file, relation));
  const clash = Math.max(0, ...clashes.map(weigh));
  return between(["agreement", "reference"]).filter((relation) => relation.adat.length > 0 && weigh(relation) > clash);
}

/** Whether a relation is about a kind of property that the things of this case are not, by its facts and the rules. */
function concernsOtherProperty({ retrieval: { facts, rules } }: CaseFile, { issue }: NormRelation): boolean {
  const stated = [...facts, ...rules.conclusions.map(({ fact }) => fact)].map(readAtom);
  const kinds = new Set(
    stated.flatMap(({ predicate, args, negated }) => (predicate === "class" && !negated ? [args[1] ?? ""] : [])),
  );
  const about = findMentions(issue).flatMap(({ concept }) =>
    concept.type === "property" && !concept.generic ? [concept.id] : [],
  );
  return kinds.size > 0 && about.length > 0 && !about.some((kind) => kinds.has(kind));
}
