import { citedProvisions } from "../citations/cited-provisions.ts";
import { type Knowledge, shippedKnowledge } from "../knowledge/knowledge.ts";
import { languageOf } from "../knowledge/language.ts";
import { mentionsIn } from "../knowledge/mentions.ts";
import { scopeOf } from "../router/scope.ts";
import { frameOf } from "./affinity.ts";
import { mergeEvidence } from "./merge.ts";
import type { Retrieval, RetrieveOptions } from "./retrieval.ts";
import { searchText } from "./text-index.ts";

/** Everything the knowledge base has for a question, from text, graph, rules and citations (law spec §2). */
export function retrieve(
  query: string,
  options: RetrieveOptions = {},
  knowledge: Knowledge = shippedKnowledge(),
): Retrieval {
  const language = languageOf(query);
  const mentions = mentionsIn(query);
  const cited = citedProvisions(query, knowledge);
  const { out_of_scope: outOfScope } = scopeOf(query, mentions, cited);
  const text = searchText(knowledge, query, language);
  return {
    query,
    language,
    communities: frameOf(mentions).communities,
    evidence: outOfScope ? [] : mergeEvidence({ text, cited }, knowledge, options.limit ?? 16),
    facts: [],
    rules: { conclusions: [], unknown: [], contradictions: [] },
    graph: [],
    cited,
    out_of_scope: outOfScope,
  };
}
