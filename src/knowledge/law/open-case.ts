import { type CitedProvision, findCitedProvisions, findLaws, nameLaws } from "./citations.ts";
import { findForeignLaw, type Frame, readAsked, readFrame } from "./frame.ts";
import { type Domain, addItems, type Evidence, type Knowledge, loadKnowledge } from "./items.ts";
import {
  type Hit,
  type Need,
  sumWorth,
  rateFit,
  rateMatch,
  readNeed,
  search,
  type Features,
  logistic,
  weigh,
  weights,
} from "./search.ts";
import { stemEnglish } from "../../text/search.ts";
import {
  type Concept,
  cues,
  findMentions,
  isFunctionWord,
  type Mention,
  splitWords,
  detectLanguage,
  nameConcept,
} from "./words.ts";
import { cosine } from "../../text/similar.ts";
import { derive } from "./formal.ts";

const labels = ["pure_national", "pure_adat", "conflict", "consensus"] as const;
export type RouteLabel = (typeof labels)[number];

export type Route = {
  label: RouteLabel;
  scores: { national: number; adat: number; conflict: number };
  out_of_scope: boolean;
  rationale: string;
};

type Cue = "clash" | "opposed" | "harmony" | "recent" | "of_law" | "says" | "denies" | "unknown";

function countCues(text: string, kind: Cue): number {
  const sentences = text.toLowerCase().split(/[.!?;]\s/u);
  return sentences.reduce((count, sentence) => {
    const said = splitWords(sentence).map(stemEnglish);
    const isAt = (wanted: string[], at: number): boolean => wanted.every((form, offset) => said[at + offset] === form);
    const forms = cues[kind].map((cue) => splitWords(cue).map(stemEnglish));
    return count + said.reduce((sum, _, at) => sum + forms.filter((wanted) => isAt(wanted, at)).length, 0);
  }, 0);
}

/** What a question names and what was found for it. */
export type Reading = { query: string; frame: Frame; need: Need; hits: Hit[]; cited: CitedProvision[] };

const bestOf = (hits: Hit[], domain: Domain): number =>
  Math.log1p(hits.find(({ answers, evidence }) => answers && evidence.domain === domain)?.score ?? 0);

/** What the router weighs: which law's words the question has, whether it opposes them, and what answers it. */
export function readRoute({ query, frame, hits, cited }: Reading): Features {
  const named = frame.mentions.filter(({ literal }) => literal);
  const of = (side: Domain, test: (role: Concept["role"]) => boolean = () => true): number =>
    named.filter(({ concept }) => concept.side === side && test(concept.role)).length;
  const laws = Math.max(findLaws(query).length, cited.length);
  const [national, adat, uncovered] = [of("national") + laws, of("adat"), frame.uncovered.length];
  return {
    national: Math.log1p(national),
    names_national: Number(national > 0),
    names_law: Number(of("national", (role) => role === "law") + laws > 0),
    adat: Math.log1p(adat),
    names_adat: Number(of("adat", (role) => role !== "people") > 0),
    people: Number(of("adat", (role) => role === "people") > 0),
    uncovered: Number(uncovered > 0),
    both: Number(national > 0 && adat + uncovered > 0),
    clash: Math.log1p(countCues(query, "clash")),
    opposed: Math.log1p(countCues(query, "opposed")),
    harmony: Math.log1p(countCues(query, "harmony")),
    best_national: bestOf(hits, "national"),
    best_adat: bestOf(hits, "adat"),
  };
}

export type Routed = Omit<Route, "out_of_scope"> & { likely: number };

/** The laws a question asks for, and whether it sets them against each other (law spec §1.1). */
export function routeQuestion(reading: Reading, hint: RouteLabel | undefined): Routed {
  const features = readRoute(reading);
  const odds = labels.map((label) => Math.exp(weigh(weights.route[label], features)));
  const share = (label: RouteLabel): number =>
    (odds[labels.indexOf(label)] ?? 0) / odds.reduce((sum, one) => sum + one, 0);
  const round = (value: number): number => Math.round(100 * value) / 100;
  const scores = {
    national: round(1 - share("pure_adat")),
    adat: round(1 - share("pure_national")),
    conflict: round(Math.log(share("conflict") / share("consensus"))),
  };
  const [likeliest] = labels.toSorted((a, b) => share(b) - share(a)) as [RouteLabel];
  const rationale = labels.map((label) => `${label} ${round(share(label))}`).join(", ");
  return {
    label: hint ?? likeliest,
    scores,
    rationale: hint ? `${rationale}; hint` : rationale,
    likely: hint ? 1 : share(likeliest),
  };
}

/** What the gate weighs: how well the best item fits, what it has no word for, and whether it is of adat. */
export function readRefusal({ query, frame, need, hits }: Reading): Features {
  return {
    best: Math.log1p(Math.max(0, ...hits.filter(({ answers }) => answers).map(({ match }) => match))),
    unknown: sumWorth(need, new Set(need.unknown)) / (sumWorth(need) || 1),
    length: Math.log1p(splitWords(query).length),
    adat: Number(frame.mentions.some(({ concept }) => concept.side === "adat")),
  };
}

/** How likely it is that nothing here answers. */
export function rateRefusal(reading: Reading): number {
  return logistic(weigh(weights.refuse, readRefusal(reading)));
}

const mostRefused = 0.4;

export type Missing = { kind: "adat" | "foreign_law" | "recent_events" | "provisions" | "answer"; what: string };

/** What is missing to answer a question; null if it can be answered (law spec §1.2). */
export function findMissing(reading: Reading, label: RouteLabel, refusal: number): Missing | null {
  const { query, frame, hits, cited } = reading;
  if (label === "pure_adat" && frame.uncovered.length > 0 && frame.peoples.length === 0)
    return { kind: "adat", what: frame.uncovered.join(", ") };
  const foreign = findForeignLaw(query, frame);
  if (foreign) return { kind: "foreign_law", what: foreign };
  if (isNews(query)) return { kind: "recent_events", what: "" };
  const unknown = cited.filter(({ known }) => !known).map(({ text }) => text);
  if (unknown.length > 0 && unknown.length === cited.length) return { kind: "provisions", what: unknown.join("; ") };
  if (cited.length > 0 || (refusal < mostRefused && hits.some(({ answers }) => answers))) return null;
  const looked = splitWords(readAsked(query)).filter((word) => !isFunctionWord(word));
  return { kind: "answer", what: [...new Set(looked)].join(", ") };
}

/** True when a clause speaks of recent law: "the decision of last week". */
function isNews(query: string): boolean {
  const isNamed = ({ concept: { side, role } }: Mention): boolean => side === "national" || role === "law";
  return query
    .split(/(?<=[.!?,;])\s+/u)
    .some(
      (clause) =>
        countCues(clause, "recent") > 0 && (countCues(clause, "of_law") > 0 || findMentions(clause).some(isNamed)),
    );
}

export function findDisputed(query: string): string[] {
  const clauses = query.split(/(?<=[.!?;:,])\s+/u);
  const has = (text: string, kind: Cue): boolean => countCues(text, kind) > 0;
  const stated = clauses.filter(
    (text) =>
      (has(text, "says") || has(text, "denies")) && findMentions(text).every(({ concept }) => concept.role !== "law"),
  );
  const isDenied = stated.length > 1 || stated.some((text) => has(text, "denies"));
  return clauses.filter((text) => has(text, "unknown") || (isDenied && stated.includes(text)));
}

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
  const reading: Reading = { query, frame, need: readNeed(query, frame, knowledge), hits, cited };
  const [{ likely, ...routed }, refusal] = [routeQuestion(reading, domain_hint), rateRefusal(reading)];
  const missing = findMissing(reading, routed.label, refusal);
  const route: Route = { ...routed, out_of_scope: missing !== null };
  const evidence = route.out_of_scope
    ? []
    : gather(reading, { own: new Set(corpus.map(({ id }) => id)), knowledge, limit });
  // Provisions that a question names are known to be here or not; whether anything else answers is a guess.
  const out = cited.length > 0 || frame.uncovered.length > 0 ? Number(missing !== null) : refusal;
  const doubt = missing ? 1 - out : 1 - (1 - out) * likely;
  return {
    language,
    route,
    doubt: Math.round(100 * doubt) / 100,
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

type Sources = { own: ReadonlySet<string>; knowledge: Knowledge; limit: number };

function gather({ frame, hits, cited }: Reading, { own, knowledge, limit }: Sources): FoundItem[] {
  const best = hits[0]?.score ?? 1;
  const scores = new Map<string, number>();
  const add = (id: string, score: number): void => void scores.set(id, (scores.get(id) ?? 0) + score);
  for (const { evidence, score } of hits) if (score >= floor * best) add(evidence.id, score / best);
  const fits = (item: Evidence): boolean => rateFit(item, frame) > 0.3;
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
  const matches = new Map(hits.map((hit) => [hit.evidence.id, rateMatch(hit)]));
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
  const follow = (kind: "rule" | "kg", weight: number, most: number): FoundItem[] =>
    derive(kind, frame, knowledge)
      .filter(fits)
      .map((item) => {
        const score = weight * Math.max(0, ...item.related.map((id) => scores.get(id) ?? 0));
        const answers = item.related.some((id) => answering.has(id));
        return finish(item, score, answers);
      })
      .toSorted((a, b) => b.score - a.score)
      .slice(0, most);
  return [
    ...kept.map((item) => {
      const isNamed = named.has(item.id);
      const holder = isNamed ? "both" : item.domain;
      return finish(item, scores.get(item.id) ?? 0, isNamed || answering.has(item.id), holder);
    }),
    ...follow("rule", 0.9, mostRules),
    ...follow("kg", 0.4, mostTriples),
    ...findMore(hits, kept).map(({ evidence, score }) => finish(evidence, score / best, true, "critic")),
  ];
}

/** The best items, and of each law at least a third of the places. */
function keepBalance(ranked: Evidence[], limit: number): Evidence[] {
  const places = new Map(ranked.map((item, at) => [item, at]));
  const of = (domain: Domain): Evidence[] => ranked.filter((item) => item.domain === domain).slice(0, limit / 3);
  const kept = [...new Set([...of("national"), ...of("adat"), ...ranked])].slice(0, limit);
  return kept.toSorted((a, b) => (places.get(a) ?? 0) - (places.get(b) ?? 0));
}

function findMore(hits: Hit[], kept: Evidence[]): Hit[] {
  const rest = hits.filter(({ answers, evidence }) => answers && !kept.includes(evidence));
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
