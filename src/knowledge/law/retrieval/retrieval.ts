import type { CitedProvision } from "../citations/cited-provisions.ts";
import type { Evidence } from "../items/evidence.ts";
import type { Fact, RuleResult } from "../rules/rule.ts";
import type { Gap } from "../router/gaps.ts";
import type { GraphFact } from "../search/graph.ts";

/** How an item was found. */
export type FoundBy = "text" | "graph" | "rules" | "citation" | "limits";

/** A fact that the question calls disputed or unknown, and the conclusions that do not hold without it. */
export type DisputedFact = { fact: Fact; bears: Fact[] };

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
  /** The facts that the question itself says are disputed or unknown, each with the conclusions that rest on it. */
  disputed?: DisputedFact[];
  graph: GraphFact[];
  /** Provisions that the question names, known or not. */
  cited: CitedProvision[];
  out_of_scope: boolean;
  /** What the question asks about and this knowledge base does not hold: neighbouring fields, the adat of other peoples. */
  gaps?: Gap[];
};

export type RetrieveOptions = {
  /** At most so many items of the text and graph search together; rules and citations come on top. Default 16. */
  limit?: number;
};
