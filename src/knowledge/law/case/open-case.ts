import type { Evidence } from "../items/evidence.ts";
import { loadKnowledge, addItems } from "../items/knowledge.ts";
import { readSpelling } from "../mentions/spelling.ts";
import { retrieve } from "../retrieval/retrieve.ts";
import { type RouteLabel, route } from "../router/route.ts";
import { addLimits } from "./add-limits.ts";
import { addBridges } from "./bridges.ts";
import type { CaseFile } from "./case-file.ts";

/** A question as it is asked: a caller's `domain_hint` wins over the router, `corpus` is what the user adds to the knowledge. */
export type Question = { query: string; domain_hint?: RouteLabel | undefined; corpus?: Evidence[] | undefined };

/** Routes the question and gathers what the knowledge base has for it; `limit` is about the text and graph search. */
export function openCase({ query, domain_hint, corpus = [] }: Question, limit?: number): CaseFile {
  const knowledge = addItems(loadKnowledge(), corpus);
  const { text: read } = readSpelling(query);
  const opened: CaseFile = {
    query,
    read,
    domain_hint: domain_hint ?? null,
    route: route(query, domain_hint, knowledge),
    retrieval: retrieve(read, limit === undefined ? {} : { limit }, knowledge),
  };
  return addLimits(addBridges(opened));
}
