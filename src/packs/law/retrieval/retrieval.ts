import type { Evidence } from "../knowledge/evidence.ts";
import type { Fact, RuleResult } from "../rules/rule.ts";

/** A relation of the knowledge graph that lies near the entities of a question; `evidence` is its `kg:` id. */
export type GraphFact = {
  evidence: string;
  subject: string;
  relation: string;
  object: string;
  hops: number;
  sources: string[];
};

/** A provision that a question names. `known: false` means: not in this knowledge base (not: does not exist). */
export type CitedProvision = { text: string; id: string | null; known: boolean };

/** How an item was found. */
export type FoundBy = "text" | "graph" | "rules" | "citation";

export type RetrievedEvidence = Evidence & { score: number; found_by: FoundBy[] };

/** Everything the knowledge base has for a question (law spec §2): one list of evidence, and where it came from. */
export type Retrieval = {
  query: string;
  language: "id" | "en";
  /** Communities that the question names or that only its terms belong to. */
  communities: string[];
  /** Ranked, best first; only these ids are valid evidence. Includes the fired rules (`rule:`) and graph relations (`kg:`). */
  evidence: RetrievedEvidence[];
  /** Facts read from the question. */
  facts: Fact[];
  rules: RuleResult;
  graph: GraphFact[];
  /** Provisions that the question names, known or not. */
  cited: CitedProvision[];
  out_of_scope: boolean;
};

export type RetrieveOptions = {
  /** Most items of the text and graph search together; rule and cited items come on top. Default 16. */
  limit?: number;
};
