import { confidenceWeight, type Evidence } from "../items/evidence.ts";
import type { Knowledge } from "../items/knowledge.ts";
import { isNameOfPeople, type Mention } from "../mentions/concept.ts";
import { findMentions } from "../mentions/mentions.ts";
import { splitWords } from "../mentions/words.ts";
import { readFrame } from "../mentions/frame.ts";
import { rateAffinity } from "./affinity.ts";
import { type Bm25, buildBm25 } from "../../../text/bm25.ts";
import { bagEvidence, bagQuery } from "./features.ts";

/** A text hit with its score, best first. */
export type TextHit = { evidence: Evidence; score: number };

const leadingWeight = 1.25;
const indexes = new WeakMap<Knowledge, Bm25>();

/**
 * BM25 over Indonesian stems, English stems and the concepts that a statement names (law spec §2.1). The concepts are
 * what both languages share, so that an English question finds an Indonesian norm.
 */
export function searchText(knowledge: Knowledge, query: string, language: "id" | "en"): TextHit[] {
  return rate(knowledge, getIndex(knowledge).score(bagQuery(query, language)), query);
}

/** Hits with what an item's standing and its body of law count for. */
function rate(knowledge: Knowledge, scores: Map<number, number>, query: string): TextHit[] {
  const frame = readFrame(findMentions(query));
  return [...scores]
    .map(([position, score]) => {
      const evidence = getItem(knowledge, position);
      const prior = confidenceWeight[evidence.confidence] * (knowledge.leading.has(evidence.id) ? leadingWeight : 1);
      return { evidence, score: score * prior * rateAffinity(evidence, frame) };
    })
    .toSorted((a, b) => b.score - a.score || compare(a.evidence.id, b.evidence.id));
}

/** As `searchText`, by what is asked and not by who asks: a people's name matches every norm of that people. */
export function searchMatter(knowledge: Knowledge, query: string, language: "id" | "en"): TextHit[] {
  const parties = findMentions(query).filter(isParty);
  const matter = splitWords(query).filter((_, at) => !parties.some(({ start, end }) => start <= at && at < end));
  return rate(knowledge, getIndex(knowledge).score(bagQuery(matter.join(" "), language)), query);
}

/** A people's name, or a faith. */
function isParty(mention: Mention): boolean {
  return isNameOfPeople(mention) || faiths.has(mention.concept.id);
}

const faiths = new Set(["muslim", "hindu", "non_muslim", "adat"]);

/** The index of a knowledge base; built once. */
export function getIndex(knowledge: Knowledge): Bm25 {
  const known = indexes.get(knowledge);
  if (known) return known;
  const built = buildBm25(knowledge.items.map(bagEvidence));
  indexes.set(knowledge, built);
  return built;
}

function getItem(knowledge: Knowledge, position: number): Evidence {
  const item = knowledge.items[position];
  if (!item) throw new Error(`no item at ${position}`);
  return item;
}

function compare(a: string, b: string): number {
  return a < b ? -1 : Number(a > b);
}
