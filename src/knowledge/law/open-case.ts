import { cosine } from "../../text/similar.ts";
import { type CitedProvision, findCitedProvisions, nameLaws } from "./citations.ts";
import { applyRules, findTriples } from "./formal.ts";
import { type Frame, readFrame } from "./frame.ts";
import { addItems, type Domain, type Evidence, type Knowledge, loadKnowledge } from "./items.ts";
import { findDisputed, findMissing, type Route, type RouteLabel, routeQuestion } from "./route.ts";
import { type Hit, rateFit, rateMatch, search } from "./search.ts";
import { detectLanguage, nameConcept } from "./words.ts";

export type Question = { query: string; domain_hint?: RouteLabel | undefined; corpus?: Evidence[] | undefined };

export type Closeness = { question: number[]; items: Map<string, number[]> };

type Holder = Domain | "both" | "critic";
export type FoundItem = Evidence & {
  score: number;
  match: number;
  answers: boolean;
  holder: Holder;
  imported: boolean;
};

const mostRules = 4;
const mostTriples = 2;
const mostMore = 2;
/** Hits far below the best share only common words with the question. */
const floor = 0.2;

export function listCandidates({ query, corpus = [] }: Question, limit: number): Evidence[] {
  const knowledge = addItems(loadKnowledge(), corpus);
  return search(knowledge, query, readFrame(query))
    .slice(0, 3 * limit)
    .map(({ evidence }) => evidence);
}

export function openCase({ query, domain_hint, corpus = [] }: Question, limit: number, closeness?: Closeness) {
  const knowledge = addItems(loadKnowledge(), corpus);
  const [language, frame] = [detectLanguage(query), readFrame(query)];
  const cited = findCitedProvisions(query, knowledge);
  const near =
    closeness && ((item: Evidence) => cosine(closeness.question, closeness.items.get(item.id) ?? closeness.question));
  const hits = search(knowledge, query, frame, near);
  const routed = routeQuestion(query, frame, hits, cited, domain_hint);
  const missing = findMissing(query, frame, { hits, cited, label: routed.label }, language);
  const route: Route = {
    ...routed,
    out_of_scope: missing.length > 0,
    rationale: [routed.rationale, ...missing].join("; "),
  };
  const evidence = route.out_of_scope
    ? []
    : gather({ own: new Set(corpus.map(({ id }) => id)), knowledge, frame, hits, cited, limit });
  return {
    language,
    route,
    laws: nameLaws(evidence),
    frame: {
      acts: [...frame.acts],
      about: [...new Set(frame.mentions.map(({ concept }) => nameConcept(concept.id, language)))],
      communities: frame.peoples,
      uncovered: frame.uncovered,
      regimes: readRegimes(frame),
    },
    missing,
    disputed: route.out_of_scope ? [] : findDisputed(query),
    cited,
    evidence,
  };
}

type Sources = {
  own: ReadonlySet<string>;
  knowledge: Knowledge;
  frame: Frame;
  hits: Hit[];
  cited: CitedProvision[];
  limit: number;
};

function gather({ own, knowledge, frame, hits, cited, limit }: Sources): FoundItem[] {
  const best = hits[0]?.score ?? 1;
  const scores = new Map<string, number>();
  const add = (id: string, score: number): void => void scores.set(id, (scores.get(id) ?? 0) + score);
  for (const { evidence, score } of hits) if (score >= floor * best) add(evidence.id, score / best);
  const fits = (item: Evidence): boolean => rateFit(item, frame) > 0.3;
  const fired = applyRules(frame, knowledge).filter(fits);
  for (const { id } of cited) if (id) add(id, 2);
  const answering = new Set(hits.filter(({ answers }) => answers).map(({ evidence }) => evidence.id));
  const named = new Set(cited.flatMap(({ id }) => id ?? []));
  const ranked = [...scores]
    .toSorted(([a, x], [b, y]) => y - x || (a < b ? -1 : 1))
    .flatMap(([id]) => knowledge.find(id) ?? []);
  const kept = keepBalance(
    ranked.filter((item) => named.has(item.id) || fits(item)),
    limit,
  );
  const top = kept.find(({ id }) => answering.has(id));
  const matches = new Map(hits.map(({ evidence, score }) => [evidence.id, rateMatch(score)]));
  const finish = (item: Evidence, score: number, answers: boolean, holder: Holder = item.domain): FoundItem => ({
    ...item,
    match: named.has(item.id) ? 1 : Math.max(...[item.id, ...item.related].map((id) => matches.get(id) ?? 0)),
    // A mandatory provision decides only when nothing else is closer to the question.
    mandatory: item.mandatory && item === top,
    score: Math.round(1000 * score) / 1000,
    answers,
    holder,
    imported: own.has(item.id),
  });
  const derive = (items: Evidence[], weight: number, most: number): FoundItem[] =>
    items
      .map((item) => {
        const score = weight * Math.max(0, ...item.related.map((id) => scores.get(id) ?? 0));
        return finish(
          item,
          score,
          item.related.some((id) => answering.has(id)),
        );
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, most);
  return [
    ...kept.map((item) => {
      const isNamed = named.has(item.id);
      const holder = isNamed ? "both" : item.domain;
      return finish(item, scores.get(item.id) ?? 0, isNamed || answering.has(item.id), holder);
    }),
    ...derive(fired, 0.9, mostRules),
    ...derive(findTriples(frame, knowledge).filter(fits), 0.4, mostTriples),
    ...findMore(hits, kept).map(({ evidence, score }) => finish(evidence, score / best, true, "critic")),
  ];
}

function keepBalance(ranked: Evidence[], limit: number): Evidence[] {
  const reserved = (domain: Domain): Evidence[] =>
    ranked.filter((item) => item.domain === domain).slice(0, Math.floor(limit / 3));
  const kept = new Set([...reserved("national"), ...reserved("adat")]);
  for (const item of ranked) if (kept.size < limit) kept.add(item);
  return ranked.filter((item) => kept.has(item));
}

function findMore(hits: Hit[], kept: Evidence[]): Hit[] {
  const rest = hits.filter(({ evidence, answers }) => answers && !kept.includes(evidence));
  return (["national", "adat"] as const).flatMap((domain) =>
    rest.filter(({ evidence }) => evidence.domain === domain).slice(0, mostMore),
  );
}

function readRegimes({ concepts }: Frame): string[] {
  return [
    ...(concepts.has("civil_code") || concepts.has("legitime") || concepts.has("non_muslim") ? ["civil_code"] : []),
    ...(concepts.has("muslim") || concepts.has("islamic_law") ? ["islamic"] : []),
  ];
}
