import { findCitedProvisions } from "../citations/cited-provisions.ts";
import type { Domain, Evidence } from "../items/evidence.ts";
import type { Retrieval, RetrievedEvidence } from "../retrieval/retrieval.ts";
import type { Route } from "../router/route.ts";
import type { RuleResult } from "../rules/rule.ts";

/** What a speaker of a debate is given: the question, its route and what the knowledge base has for it. */
export type CaseFile = {
  query: string;
  /** The question as it is read: short forms in full, slips of the pen mended (law spec §1.3). */
  read: string;
  domain_hint: string | null;
  route: Route;
  retrieval: Retrieval;
  /** Whose sources the retrieval is limited to; absent where it is everything. */
  side?: Domain;
  /** Where the retrieval is only what one side holds: what was retrieved altogether, by id and score, without its text. */
  pool?: Pick<RetrievedEvidence, "id" | "domain" | "score">[];
  /** Those of the retrieval that the side did not hold by itself: others cited or brought them. */
  brought?: string[];
  /** What the side's own rules conclude and ask for, whatever was brought. */
  own_rules?: RuleResult;
};

/** The retrieved item that an id, one of its readable aliases or its name ("Pasal 1320 KUHPerdata") means; null when it was not retrieved. */
export function findEvidence({ retrieval }: CaseFile, id: string): RetrievedEvidence | null {
  const index = getIndex(retrieval);
  return index.get(writeKey(id)) ?? index.get(writeKey(readName(id) ?? id)) ?? null;
}

const longestName = 80;

/** The id of the one provision that a text names and says nothing else of. */
function readName(text: string): string | null {
  if (text.length > longestName) return null;
  const [named, ...others] = findCitedProvisions(text);
  return others.length === 0 ? (named?.id ?? null) : null;
}

/** The ids in their stable form, each once; aliases are resolved and unknown ids left as they are. */
export function resolveIds(file: CaseFile, ids: string[]): string[] {
  return [...new Set(ids.map((id) => findEvidence(file, id)?.id ?? id))];
}

const indexes = new WeakMap<Retrieval, Map<string, RetrievedEvidence>>();

function getIndex(retrieval: Retrieval): Map<string, RetrievedEvidence> {
  let index = indexes.get(retrieval);
  if (!index) {
    index = new Map(retrieval.evidence.flatMap((item) => namesOf(item).map((name) => [writeKey(name), item] as const)));
    indexes.set(retrieval, index);
  }
  return index;
}

function namesOf(item: Evidence): string[] {
  return [...item.aliases, item.id];
}

function writeKey(id: string): string {
  return id.trim().toLowerCase();
}
