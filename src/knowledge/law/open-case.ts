import { cosine } from "../../text/cosine.ts";
import { type CitedProvision, findCitedProvisions } from "./citations.ts";
import { askFact, extractFacts, findDisputedFacts, sayFact } from "./facts.ts";
import { type Frame, readFrame } from "./frame.ts";
import { makeRuleItems, searchGraph } from "./graph.ts";
import { addItems, type Domain, type Evidence, type Knowledge, loadKnowledge, ownSourceKind } from "./items.ts";
import { bridges, selectLimits, selectRelations } from "./relations.ts";
import { findMissing, type RouteLabel, routeQuestion } from "./route.ts";
import { type Fact, loadRules, type RuleResult, runRules, systemOf } from "./rules.ts";
import { type Hit, rateFit, search } from "./search.ts";
import { detectLanguage, nameConcept } from "./words.ts";

/** A question as it is asked: a caller's `domain_hint` wins over the router, `corpus` is what the user adds to the knowledge. */
export type Question = { query: string; domain_hint?: RouteLabel | undefined; corpus?: Evidence[] | undefined };

/** Vectors of the question and of items by id, where there is an embedding model. */
export type Closeness = { question: number[]; items: Map<string, number[]> };

/** Who is shown an item: one side, both, or only the critic of whoever claims what it limits. */
type Holder = Domain | "both" | "critic";
export type FoundItem = Evidence & { score: number; answers: boolean; holder: Holder; imported: boolean };

const mostRules = 10;
const mostRelations = 4;
const mostOpen = 6;
const mostMore = 2;
/** Hits far below the best one only share common words with the question. */
const floor = 0.2;

/** The texts whose closeness to the question may reorder what is found. */
export function listCandidates({ query, corpus = [] }: Question, limit: number): Evidence[] {
  const knowledge = addItems(loadKnowledge(), corpus);
  return search(knowledge, query, readFrame(query))
    .slice(0, 3 * limit)
    .map(({ evidence }) => evidence);
}

/** Routes a question and gathers what the knowledge base has for it: text, graph and rules in one list (law spec §2). */
export function openCase({ query, domain_hint, corpus = [] }: Question, limit: number, closeness?: Closeness) {
  const knowledge = addItems(loadKnowledge(), corpus);
  const [language, frame] = [detectLanguage(query), readFrame(query)];
  const cited = findCitedProvisions(query, knowledge);
  const near =
    closeness && ((item: Evidence) => cosine(closeness.question, closeness.items.get(item.id) ?? closeness.question));
  const hits = search(knowledge, query, frame, near);
  const missing = findMissing(query, frame, { hits, cited }, language, knowledge);
  const route = routeQuestion(query, frame, hits, cited, domain_hint, missing);
  const { rules, disputed } = reason(query);
  const evidence = route.out_of_scope
    ? []
    : gather({ knowledge, frame, hits, cited, rules, limit, label: route.label });
  const ids = new Set(evidence.map(({ id }) => id));
  const limits = selectLimits(query, frame, ids);
  const say = (one: { statement: string; statement_en: string }): string =>
    language === "en" ? one.statement_en : one.statement;
  return {
    language,
    route,
    frame: {
      acts: [...frame.acts],
      about: [...new Set(frame.mentions.map(({ concept }) => nameConcept(concept.id, language)))],
      communities: frame.peoples,
      uncovered: frame.uncovered,
      regimes: readRegimes(frame),
    },
    missing,
    cited,
    evidence: [...evidence, ...addLimiting(limits, ids, knowledge)],
    contradictions: rules.contradictions
      .filter(({ kind, by }) => kind === "between" && by.filter((id) => ids.has(id)).length > 1)
      .map((one) => ({ by: one.by.filter((id) => ids.has(id)), statement: say(one) })),
    not_stated: route.out_of_scope ? [] : listOpen(rules, language, ids),
    disputed: disputed.map(({ fact, bears }) => ({
      fact: sayFact(fact, language),
      bears: bears.filter((id) => ids.has(id)),
    })),
    relations: selectRelations(query, frame, ids).map(({ id, kind, national, adat, issue, issue_en }) => ({
      id,
      kind,
      national,
      adat,
      issue: language === "en" ? issue_en : issue,
    })),
    limits: limits.map(({ id, on, by, effect, issue, issue_en, isRuledOut }) => ({
      id,
      on,
      by,
      effect,
      issue: language === "en" ? issue_en : issue,
      ruled_out: isRuledOut,
    })),
  };
}

/** What the rules make of the facts, and which disputed facts their conclusions rest on. */
function reason(query: string): { rules: RuleResult; disputed: { fact: Fact; bears: string[] }[] } {
  const facts = extractFacts(query);
  const rules = runRules(facts, loadRules());
  const disputed = findDisputedFacts(query).flatMap((fact) => {
    const without = new Set(
      runRules(
        facts.filter((one) => one !== fact),
        loadRules(),
      ).conclusions.map((one) => one.fact),
    );
    const bears = rules.conclusions
      .filter((one) => !without.has(one.fact) && systemOf(one.fact))
      .flatMap(({ by }) => by);
    return bears.length > 0 ? [{ fact, bears: [...new Set(bears)] }] : [];
  });
  return { rules, disputed };
}

type Sources = {
  knowledge: Knowledge;
  frame: Frame;
  hits: Hit[];
  cited: CitedProvision[];
  rules: RuleResult;
  limit: number;
  label: RouteLabel;
};

/** One list of evidence, best first: scores are relative to the best text hit, and what several ways find ranks higher. */
function gather({ knowledge, frame, hits, cited, rules, limit, label }: Sources): FoundItem[] {
  const best = hits[0]?.score ?? 1;
  const scores = new Map<string, number>();
  const add = (id: string, score: number): void => void scores.set(id, (scores.get(id) ?? 0) + score);
  for (const { evidence, score } of hits) if (score >= floor * best) add(evidence.id, score / best);
  const fired = makeRuleItems(rules, loadRules(), knowledge).filter((item) => rateFit(item, frame) > 0.3);
  for (const id of new Set(fired.flatMap(({ related }) => related))) add(id, 0.3);
  for (const { id } of cited) if (id) add(id, 2);
  const answering = new Set(hits.filter(({ answers }) => answers).map(({ evidence }) => evidence.id));
  const named = new Set(cited.flatMap(({ id }) => id ?? []));
  const ranked = [...scores]
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .flatMap(([id]) => knowledge.find(id) ?? []);
  const fitting = ranked.filter((item) => named.has(item.id) || rateFit(item, frame) > 0.3);
  const kept = keepBalance(fitting, limit);
  const finish = (item: Evidence, score: number, answers: boolean, holder: Holder = item.domain): FoundItem => ({
    ...item,
    score: Math.round(1000 * score) / 1000,
    answers,
    holder,
    imported: item.source_kind === ownSourceKind,
  });
  const rankOf = (ids: string[]): number => Math.max(0, ...ids.map((id) => scores.get(id) ?? 0));
  const derived = [
    ...fired
      .map((item) => ({ item, score: 0.9 * rankOf(item.related) }))
      .toSorted((a, b) => b.score - a.score)
      .slice(0, mostRules),
    ...searchGraph(knowledge, frame)
      .slice(0, mostRelations)
      .map(({ item }) => ({ item, score: 0.4 * rankOf(item.related) })),
  ];
  const topics = new Set(kept.slice(0, mostOpen).flatMap((item) => item.topics));
  const joining = bridges.filter(
    ({ topics: called }) =>
      label !== "pure_national" && label !== "pure_adat" && (called === null || called.some((one) => topics.has(one))),
  );
  return [
    ...kept.map((item) =>
      finish(
        item,
        scores.get(item.id) ?? 0,
        answering.has(item.id) || named.has(item.id),
        named.has(item.id) ? "both" : item.domain,
      ),
    ),
    ...derived.map(({ item, score }) =>
      finish(
        item,
        score,
        item.related.some((id) => answering.has(id)),
      ),
    ),
    ...findMore(hits, kept).map(({ evidence, score }) => finish(evidence, score / best, true, "critic")),
    ...joining
      .filter(({ id }) => !kept.some((item) => item.id === id))
      .flatMap(({ id }) => knowledge.find(id) ?? [])
      .map((item) => finish(item, 0, false, "both")),
  ];
}

/** The best of the list, with room for each side: a debate needs what speaks for either. */
function keepBalance(ranked: Evidence[], limit: number): Evidence[] {
  const reserved = (domain: Domain): Evidence[] =>
    ranked.filter((item) => item.domain === domain).slice(0, Math.floor(limit / 3));
  const kept = new Set([...reserved("national"), ...reserved("adat")]);
  for (const item of ranked) if (kept.size < limit) kept.add(item);
  return ranked.filter((item) => kept.has(item));
}

/** What else of each law answers the question: its author does not hold it, the other side's critic looks for it (law spec §4). */
function findMore(hits: Hit[], kept: Evidence[]): Hit[] {
  const rest = hits.filter(({ evidence, answers }) => answers && !kept.includes(evidence));
  return (["national", "adat"] as const).flatMap((domain) =>
    rest.filter(({ evidence }) => evidence.domain === domain).slice(0, mostMore),
  );
}

/** What limits a norm that was found is for the critic of whoever claims it. */
function addLimiting(limits: { by: string[] }[], known: ReadonlySet<string>, knowledge: Knowledge): FoundItem[] {
  const ids = new Set(limits.flatMap(({ by }) => by).filter((id) => !known.has(id)));
  return [...ids]
    .flatMap((id) => knowledge.find(id) ?? [])
    .map((item) => ({ ...item, score: 0, answers: true, holder: "critic" as const, imported: false }));
}

/** What nobody stated and would matter, for the side whose rules ask for it. */
function listOpen({ unknown }: RuleResult, language: "id" | "en", ids: ReadonlySet<string>) {
  const asked = unknown.flatMap(({ fact, needed_by, would_conclude, would_defeat = [] }) => {
    const system = [...would_conclude, ...would_defeat].map(systemOf).find((one) => one !== null);
    const isNational = system === "national" || system === "civil_code" || system === "islamic";
    if (!system || !needed_by.some((id) => ids.has(id)) || !/^(?:not )?[a-z_]+\([\w, ?]*\)$/.test(fact)) return [];
    return [{ text: askFact(fact, language), side: isNational ? ("national" as const) : ("adat" as const) }];
  });
  const distinct = asked.filter((one, at) => asked.findIndex(({ text }) => text === one.text) === at);
  return (["national", "adat"] as const).flatMap((side) =>
    distinct.filter((one) => one.side === side).slice(0, mostOpen),
  );
}

function readRegimes({ concepts }: Frame): string[] {
  return [
    ...(concepts.has("civil_code") || concepts.has("legitime") || concepts.has("non_muslim") ? ["civil_code"] : []),
    ...(concepts.has("muslim") || concepts.has("islamic_law") ? ["islamic"] : []),
  ];
}
