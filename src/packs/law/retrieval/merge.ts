import type { Domain } from "../knowledge/evidence.ts";
import type { Knowledge } from "../knowledge/knowledge.ts";
import type { CitedProvision, FoundBy, RetrievedEvidence } from "./retrieval.ts";
import type { TextHit } from "./text-index.ts";

/** What each source found. */
export type Found = { text: TextHit[]; cited: CitedProvision[] };

const relatedShare = 0.4;
const citedScore = 1.5;
/** Hits far below the best one are noise of common words. */
const floor = 0.25;

/** One list of evidence, best first: scores relative to the best text hit, what the question cites on top (law spec §2). */
export function mergeEvidence({ text, cited }: Found, knowledge: Knowledge, limit: number): RetrievedEvidence[] {
  const items = new Map<string, RetrievedEvidence>();
  const add = (id: string, score: number, by: FoundBy) => {
    const known = items.get(id);
    const item = knowledge.find(id);
    if (known)
      items.set(id, { ...known, score: known.score + score * 0.5, found_by: [...new Set([...known.found_by, by])] });
    else if (item) items.set(item.id, { ...item, score, found_by: [by] });
  };
  const best = text[0]?.score ?? 1;
  for (const { evidence, score } of text) if (score >= floor * best) add(evidence.id, score / best, "text");
  for (const hit of text.slice(0, 4)) {
    for (const id of hit.evidence.related) add(id, (relatedShare * hit.score) / best, "text");
  }
  for (const { id } of cited) if (id) add(id, citedScore, "citation");
  const ranked = [...items.values()].toSorted((a, b) => b.score - a.score || (a.id < b.id ? -1 : 1));
  return balanced(ranked, limit);
}

/** The best of the list, with room for each side: a debate needs what speaks for either. */
function balanced(ranked: RetrievedEvidence[], limit: number): RetrievedEvidence[] {
  const reserved = Math.floor(limit / 3);
  const bestOf = (domain: Domain) => ranked.filter((item) => item.domain === domain).slice(0, reserved);
  const kept = new Set([...bestOf("national"), ...bestOf("adat")]);
  for (const item of ranked) if (kept.size < limit) kept.add(item);
  return ranked.filter((item) => kept.has(item));
}
