import { findCitedProvisions } from "../citations/cited-provisions.ts";
import { findDisputedFacts } from "../facts/disputed-facts.ts";
import { extractFacts } from "../facts/extract-facts.ts";
import { type Knowledge, loadKnowledge } from "../items/knowledge.ts";
import { detectLanguage } from "../mentions/language.ts";
import { findMentions } from "../mentions/mentions.ts";
import { findPeopleGaps, findTopicGaps } from "../router/gaps.ts";
import { isOutOfScope } from "../router/scope.ts";
import type { Fact, RuleResult } from "../rules/rule.ts";
import { runRules } from "../rules/run-rules.ts";
import { loadRules } from "../rules/shipped-rules.ts";
import { type Frame, readFrame } from "../mentions/frame.ts";
import { makeGraphItem, makeRuleItems } from "./derived-evidence.ts";
import { searchGraph, loadGraph } from "../search/graph.ts";
import { mergeEvidence } from "./merge.ts";
import type { DisputedFact, Retrieval, RetrieveOptions } from "./retrieval.ts";
import { searchMatter } from "../search/text-index.ts";

/** Everything the knowledge base has for a question, from text, graph, rules and citations (law spec §2). */
export function retrieve(
  query: string,
  options: RetrieveOptions = {},
  knowledge: Knowledge = loadKnowledge(),
): Retrieval {
  const language = detectLanguage(query);
  const mentions = findMentions(query);
  const frame = readFrame(mentions);
  const cited = findCitedProvisions(query, knowledge);
  const empty: Retrieval = {
    query,
    language,
    communities: frame.communities,
    evidence: [],
    facts: [],
    rules: { conclusions: [], unknown: [], contradictions: [] },
    graph: [],
    cited,
    out_of_scope: isOutOfScope(query, mentions, cited, knowledge),
    gaps: [...findTopicGaps(query, knowledge), ...findPeopleGaps(mentions, knowledge)],
  };
  return empty.out_of_scope ? empty : { ...empty, ...search(empty, frame, knowledge, options.limit ?? 16) };
}

function search(
  { query, language, cited }: Retrieval,
  frame: Frame,
  knowledge: Knowledge,
  limit: number,
): Partial<Retrieval> {
  const open = findDisputedFacts(query);
  const facts = [...extractFacts(query), ...open.map(deny)];
  const rules = runRules(facts, loadRules());
  const disputed = weighDisputed([...open, ...open.map(deny)], facts, rules);
  const graph = searchGraph(loadGraph(), knowledge, frame);
  const evidence = mergeEvidence(
    {
      text: searchMatter(knowledge, query, language),
      cited,
      rules: { fired: makeRuleItems(rules, loadRules(), knowledge), waiting: findWaiting(rules, knowledge) },
      graph: graph.map(({ fact, score }) => ({ fact, score, item: makeGraphItem(fact, loadGraph(), knowledge) })),
    },
    knowledge,
    limit,
  );
  return { facts, rules, ...(disputed.length > 0 ? { disputed } : {}), graph: graph.map(({ fact }) => fact), evidence };
}

/** What follows if a disputed fact is not so is as open as what follows if it is. */
function deny(fact: Fact): Fact {
  return fact.startsWith("not ") ? fact.slice("not ".length) : `not ${fact}`;
}

/** The disputed facts that matter: what the rules conclude from one of them, and not from what is certain. */
function weighDisputed(open: Fact[], facts: Fact[], { conclusions }: RuleResult): DisputedFact[] {
  const concludes = (given: Fact[]) => new Set(runRules(given, loadRules()).conclusions.map(({ fact }) => fact));
  if (open.length === 0) return [];
  const certain = facts.filter((fact) => !open.includes(fact));
  const known = concludes(certain);
  const disputed = conclusions.map(({ fact }) => fact).filter((fact) => !known.has(fact));
  return open.flatMap((fact) => {
    const [alone, without] = [concludes([...certain, fact]), concludes(facts.filter((one) => one !== fact))];
    const bears = disputed.filter((one) => alone.has(one) || !without.has(one));
    return bears.length > 0 ? [{ fact, bears }] : [];
  });
}

/** Rules that one more fact would let fire: what they rest on matters to the question too. */
function findWaiting({ unknown }: RuleResult, knowledge: Knowledge): ReturnType<typeof makeRuleItems> {
  const ids = new Set(unknown.flatMap(({ needed_by: by, would_conclude: would }) => (would.length > 0 ? by : [])));
  const rules = loadRules().filter(({ id }) => ids.has(id));
  const conclusions = rules.map(({ id, conclude }) => ({
    fact: conclude[0] ?? "",
    by: [id],
    from: [],
    statement: "-",
    statement_en: "-",
  }));
  return makeRuleItems({ conclusions, unknown: [], contradictions: [] }, rules, knowledge);
}
