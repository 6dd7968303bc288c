import type { Domain, Evidence } from "../items/evidence.ts";
import type { Knowledge } from "../items/knowledge.ts";
import type { CitedProvision } from "../citations/cited-provisions.ts";
import type { GraphFact } from "../search/graph.ts";
import type { FoundBy, RetrievedEvidence } from "./retrieval.ts";
import type { TextHit } from "../search/text-index.ts";

/** What each source found; rules and relations as items, with the items they rest on in `related`. */
export type Found = {
  text: TextHit[];
  cited: CitedProvision[];
  rules: { fired: Evidence[]; waiting: Evidence[] };
  graph: { fact: GraphFact; score: number; item: Evidence }[];
};

const weights = {
  related: 0.35,
  cited: 2,
  rule: 0.9,
  ruleSource: 0.7,
  waitingSource: 0.35,
  graph: 0.5,
  graphSource: 0.35,
};
/** What a relation scores when the question names both of its ends. */
const tellingRelation = 1.4;
/** Hits far below the best one only share common words with the question. */
const floor = 0.25;
const mostRules = 12;
const mostRelations = 6;

/**
 * One list of evidence, best first (law spec §2.6). Scores are relative to the best text hit; an item that several
 * sources find ranks higher, and what the question cites comes first.
 */
export function mergeEvidence(found: Found, knowledge: Knowledge, limit: number): RetrievedEvidence[] {
  const scored = scoreItems(found, knowledge);
  const provisions = keepBalance([...scored.values()].toSorted(compareScores), limit);
  const rank = (ids: string[]) => Math.max(0, ...ids.map((id) => scored.get(id)?.score ?? 0));
  const rules = found.rules.fired
    .map((item) => ({ ...item, score: weights.rule * rank(item.related), found_by: ["rules" as const] }))
    .toSorted(compareScores)
    .slice(0, mostRules);
  const best = found.graph[0]?.score ?? 1;
  const relations = found.graph
    .slice(0, mostRelations)
    .map(({ item, score }) => ({ ...item, score: (weights.graph * score) / best, found_by: ["graph" as const] }));
  return [...provisions, ...rules, ...relations].toSorted(compareScores);
}

function scoreItems({ text, cited, rules, graph }: Found, knowledge: Knowledge): Map<string, RetrievedEvidence> {
  const items = new Map<string, RetrievedEvidence>();
  const add = (id: string, score: number, by: FoundBy) => {
    const item = items.get(id) ?? knowledge.find(id);
    if (!item) return;
    const known = items.get(item.id);
    const foundBy = [...new Set([...(known?.found_by ?? []), by])];
    items.set(item.id, { ...item, score: (known?.score ?? 0) + score, found_by: foundBy });
  };
  const best = text[0]?.score ?? 1;
  for (const { evidence, score } of text) if (score >= floor * best) add(evidence.id, score / best, "text");
  for (const { evidence, score } of text.slice(0, 4)) {
    for (const id of evidence.related) add(id, (weights.related * score) / best, "text");
  }
  addOnce(rules.fired, (id) => add(id, weights.ruleSource, "rules"));
  addOnce(rules.waiting, (id) => add(id, weights.waitingSource, "rules"));
  for (const { fact, score } of graph.slice(0, 2 * mostRelations)) {
    for (const id of fact.sources) add(id, weights.graphSource * Math.min(1, score / tellingRelation), "graph");
  }
  for (const { id } of cited) if (id) add(id, weights.cited, "citation");
  return items;
}

/** A provision that several rules formalise counts once. */
function addOnce(rules: Evidence[], add: (id: string) => void): void {
  for (const id of new Set(rules.flatMap(({ related }) => related))) add(id);
}

/** The best of the list, with room for each side: a debate needs what speaks for either. */
function keepBalance(ranked: RetrievedEvidence[], limit: number): RetrievedEvidence[] {
  const reserved = Math.floor(limit / 3);
  const bestOf = (domain: Domain) => ranked.filter((item) => item.domain === domain).slice(0, reserved);
  const kept = new Set([...bestOf("national"), ...bestOf("adat")]);
  for (const item of ranked) if (kept.size < limit) kept.add(item);
  return ranked.filter((item) => kept.has(item));
}

function compareScores(a: RetrievedEvidence, b: RetrievedEvidence): number {
  return b.score - a.score || (a.id < b.id ? -1 : 1);
}
