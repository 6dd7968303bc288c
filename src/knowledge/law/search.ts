import { readFileSync } from "node:fs";
import * as z from "zod";
import { type Bag, type Bm25, buildBm25 } from "../../text/search.ts";
import type { Domain, Evidence, Knowledge } from "./items.ts";
import { findLaws } from "./citations.ts";
import { type Frame, listLoose, readAsked, readFrame } from "./frame.ts";
import { cues, findMentions, listKeys, synonyms, splitWords } from "./words.ts";

const row = z.record(z.string(), z.number());

/** Fitted by `npm run bench:law -- --fit`, each on features of the same names; `bias` counts always. */
const WeightsSchema = z.strictObject({
  /** How well an item fits a question: exponents and factors (log-linear). */
  rank: row,
  /** Whether nothing here answers, and whether the first source is the right one (logistic). */
  refuse: row,
  match: row,
  /** Which law is asked for (softmax). */
  route: z.strictObject({ pure_national: row, pure_adat: row, conflict: row, consensus: row }),
});

export const weights = WeightsSchema.parse(
  JSON.parse(readFileSync(new URL("../../../data/law/weights.json", import.meta.url), "utf8")),
);

export type Features = Record<string, number>;

export function weigh(fitted: Features, features: Features): number {
  return Object.entries(features).reduce(
    (sum, [name, value]) => sum + (fitted[name] ?? 0) * value,
    fitted["bias"] ?? 0,
  );
}

export function logistic(odds: number): number {
  return 1 / (1 + Math.exp(-odds));
}

/** `defines`: concepts of which the item says what they are. */
type Indexed = { bag: Bag; acts: Set<string>; defines: Set<string> };
type Index = { bm25: Bm25; items: Indexed[] };

const indexes = new WeakMap<Knowledge, Index>();
function getIndex(knowledge: Knowledge): Index {
  let index = indexes.get(knowledge);
  if (!index) {
    const items = knowledge.items.map(indexItem);
    index = { bm25: buildBm25(items.map(({ bag }) => bag)), items };
    indexes.set(knowledge, index);
  }
  return index;
}

function indexItem({ title, title_en, statement, statement_en, topics, community }: Evidence): Indexed {
  const texts = `${title}. ${statement}. ${title_en}. ${statement_en}`;
  const frame = readFrame(texts);
  const concepts = [...frame.concepts, ...(community ? [community] : [])];
  const bag: Bag = new Map([...listKeys(texts), ...concepts.map((id) => `#${id}`)].map((feature) => [feature, 1]));
  return {
    bag,
    acts: new Set([...frame.acts, ...topics.flatMap((topic) => cues.topic_acts[topic] ?? [])]),
    defines: new Set(listDefined(statement)),
  };
}

/** The concepts that a statement begins by defining: "Ahli waris adalah …". */
function listDefined(statement: string): string[] {
  const clause = statement.split(/[,;:.]/u)[0] ?? "";
  const at = splitWords(clause.toLowerCase()).findIndex((word) => cues.copulas.includes(word));
  return findMentions(clause)
    .filter(({ start, end }) => start < 2 && end <= at)
    .map(({ concept }) => concept.id);
}

export type Need = { features: Map<string, number>; acts: Set<string>; unknown: string[] };

const background = 0.4;
const everyday = 0.4;
/** An action says more about the question than its actor. */
const roles: Record<string, number> = { act: 1.5, object: 1, norm: 1, who: 0.5 };
/** For words of the base or of a story that may be mentioned in passing. */
const inPassing = 0.3;

export function readNeed(query: string, frame: Frame, knowledge: Knowledge): Need {
  const { bm25 } = getIndex(knowledge);
  const asked = readAsked(query);
  const asking = readFrame(asked);
  const features = new Map<string, number>();
  const addConcepts = ({ mentions }: Frame, weight: number): void => {
    for (const { concept } of mentions) {
      if (unasked.has(concept.role)) continue;
      const worth = weight * bm25.idf(`#${concept.id}`) * (concept.common ? everyday : (roles[concept.role] ?? 1));
      features.set(`#${concept.id}`, Math.max(worth, features.get(`#${concept.id}`) ?? 0));
    }
  };
  addConcepts(asking, 1);
  if (asked !== query) addConcepts(frame, background);
  const loose = listLoose(asked);
  const rarest = bm25.idf("");
  for (const key of loose)
    features.set(key, bm25.idf(key) * (bm25.idf(key) < rarest || isStory(query) ? inPassing : 1));
  const unknown = loose.filter((key) => bm25.idf(key) >= rarest);
  return { features, acts: (asking.acts.size > 0 ? asking : frame).acts, unknown };
}

/** Kinds that say whose law is asked for, not what is asked. */
const unasked = new Set(["people", "law", "faith"]);

export function sumWorth({ features }: Need, keys: Iterable<string> = features.keys()): number {
  return [...keys].reduce((total, key) => total + (features.get(key) ?? 0), 0);
}

function isStory(query: string): boolean {
  return /[.!?]\s+\S/u.test(query.trim());
}

/** `match` is how well the item's words fit; `score` also weighs what the item is, and orders. */
export type Hit = {
  evidence: Evidence;
  score: number;
  match: number;
  /** Whether it says what was asked. */
  answers: boolean;
  features: Features;
};

/** How likely a hit is the right source. */
export function rateMatch({ match }: Hit): number {
  return Math.round(100 * logistic(weigh(weights.match, { match: Math.log1p(match) }))) / 100;
}

/** One thing, and at most one word more. */
const mostBroad = 2;

/** Items that share something with a question, best first (law spec §2.1 and §2.2). */
export function search(
  knowledge: Knowledge,
  query: string,
  frame: Frame,
  closeness?: (item: Evidence) => number,
): Hit[] {
  const { bm25, items } = getIndex(knowledge);
  const need = readNeed(query, frame, knowledge);
  const [only = "", ...others] = [...need.features.keys()].filter((feature) => feature.startsWith("#"));
  const isBroad = others.length === 0 && need.features.size <= mostBroad;
  const named = findLaws(query).map(({ key }) => `${key}:`);
  const isNamed = ({ aliases }: Evidence): boolean => aliases.some((one) => named.some((key) => one.startsWith(key)));
  const namesLaw = knowledge.items.some(isNamed);
  const cover = (item: Indexed, { domain }: Evidence): number => {
    let [held, whole] = [0, 0];
    for (const [feature, worth] of need.features) {
      const isHeld = holds(item, feature);
      // No provision mentions a sentana rajeg and no norm a notary: neither counts against the other law.
      if (isHeld || (synonyms.get(feature.slice(1))?.side ?? domain) === domain) whole += worth;
      if (isHeld) held += worth;
    }
    return held / (whole || 1);
  };
  const bag: Bag = new Map(listKeys(query).map((key) => [key, background]));
  for (const feature of need.features.keys()) {
    const concept = feature.startsWith("#") ? synonyms.get(feature.slice(1)) : undefined;
    bag.set(feature, concept && !concept.common ? 1.6 : 0.5);
  }
  const found = [...bm25.score(bag)].flatMap(([at, text]) => {
    const [evidence, indexed] = [knowledge.items[at], items[at]];
    if (!evidence || !indexed) return [];
    const [coverage, fit] = [cover(indexed, evidence), rateFit(evidence, frame)];
    const sharesAct = need.acts.size === 0 || !need.acts.isDisjointFrom(indexed.acts);
    const said = { coverage: Math.log(0.5 + coverage), fit: Math.log(fit), act: Number(sharesAct) };
    const standing = {
      leading: Number(evidence.leading ?? false),
      unnamed: Number(namesLaw && evidence.domain === "national" && !isNamed(evidence)),
      // A question that names one thing only asks what that is.
      defines: Number(isBroad && indexed.defines.has(only.slice(1))),
    };
    const match = text * Math.exp(weigh(weights.rank, said)) * (0.5 + (closeness?.(evidence) ?? 0.5));
    const score = match * Math.exp(weigh(weights.rank, standing));
    const features = { text: Math.log(text), ...said, ...standing };
    return [{ evidence, score, match, fits: fit > foreign, sharesAct, features }];
  });
  const hits = found.toSorted((a, b) => b.score - a.score || (a.evidence.id < b.evidence.id ? -1 : 1));
  const fitting = hits.filter(({ fits }) => fits);
  const best = laws.map((law) => fitting.find(({ evidence }) => evidence.domain === law));
  // Acts are read from words, and may be misread: the best item of each law answers without the act.
  return hits.map((hit) => ({ ...hit, answers: hit.fits && (hit.sharesAct || best.includes(hit)) }));
}

const laws: Domain[] = ["national", "adat"];

/** An item holds a concept if it names it or a narrower one; a wider concept holds a narrower one in part. */
function holds({ bag }: Indexed, feature: string): boolean {
  if (bag.has(feature)) return true;
  const concept = feature.startsWith("#") ? synonyms.get(feature.slice(1)) : undefined;
  return concept?.role === "who" && concept.wider.some((wider) => bag.has(`#${wider}`));
}

const foreign = 0.3;

export function rateFit(item: Evidence, { concepts, peoples, uncovered }: Frame): number {
  if (item.domain === "adat" && item.community !== null) {
    if (peoples.includes(item.community)) return 1.25;
    return peoples.length > 0 || uncovered.length > 0 ? foreign / 2 : 0.7;
  }
  const islamic = concepts.has("islamic_law") || concepts.has("muslim");
  if (item.regime === "islamic")
    return islamic ? 1.4 : concepts.has("non_muslim") || concepts.has("civil_code") ? foreign : 0.7;
  if (item.regime === "civil_code")
    return concepts.has("civil_code") || concepts.has("non_muslim") ? 1.3 : islamic ? foreign : 0.9;
  return 1;
}
