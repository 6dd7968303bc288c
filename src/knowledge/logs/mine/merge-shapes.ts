import { foldRepeats } from "./fold-repeats.ts";
import { joinNeighbours } from "./join-neighbours.ts";
import { joinOptional } from "./join-optional.ts";
import { joinRareWords } from "./join-rare-words.ts";
import { joinQuoted } from "./join-quoted.ts";
import { type MergeSettings, mergeSettings } from "./merge-settings.ts";
import { joinPhrases } from "./join-phrases.ts";
import { variable } from "../scan/message-shaper.ts";
import { kinds } from "../scan/token-kind.ts";
import { listPlaceKeys } from "./place-keys.ts";
import { isLabelPosition, isNameLike, isTermLike, isValuePosition, tellEvents } from "./word-role.ts";

/**
 * One element of a cluster: its text (or the variable mark) and the elements of its representative that it covers; `fold`
 * is the range of a repeating part, shared by the elements that stand for it; `words` says that words vary here.
 */
export type Element = {
  text: string;
  first: number;
  last: number;
  fold?: { first: number; last: number };
  words?: boolean;
};

/** What is joined: elements as texts, and the kinds of the variable ones by their place. */
export type Joinable = {
  elements: readonly string[];
  count: number;
  slots: readonly { place: number; kind: number }[];
};

/** Shapes that are one template; `representative` is the member whose elements the ranges refer to. */
export type Cluster = { elements: Element[]; members: number[]; representative: number; count: number };

const maxRounds = 6;

/**
 * Joins shapes into templates by what their differences look like: names that differ, words where other lines have a
 * variable, words in a value's place, and many words at one place are variable; everything else is wording and stays apart.
 */
export function mergeShapes(shapes: readonly Joinable[], settings: MergeSettings = mergeSettings): Cluster[] {
  let clusters = shapes.map((shape, index): Cluster => {
    const elements = shape.elements.map((text, position) => ({ text, first: position, last: position }));
    return { elements, members: [index], representative: index, count: shape.count };
  });
  clusters = joinNeighbours(joinByNames(foldRepeats(clusters)));
  for (let round = 0; round < maxRounds; round += 1) {
    const before = clusters.length;
    clusters = joinEqual(joinByOnePlace(clusters, shapes, settings).map(collapse), keyOf);
    if (clusters.length === before) break;
  }
  if (settings.quotedTexts) clusters = joinQuoted(clusters);
  clusters = joinPhrases(joinEqual(joinRareWords(clusters, settings.rareWords), keyOf));
  return settings.optionalParts ? joinOptional(clusters) : clusters;
}

function keyOf(cluster: Cluster): string {
  return cluster.elements.map((element) => element.text).join("\u0002");
}

/**
 * Joins clusters that differ only in names. Terms such as `fooBar` or `SOME_STATE`, and a dotted name that begins the
 * message, need a third one to be names.
 */
function joinByNames(clusters: readonly Cluster[]): Cluster[] {
  return [...Map.groupBy(clusters, (cluster) => starWords(cluster, isNameOrTerm)).values()].flatMap((group) => {
    const fixed = new Set<number>();
    for (const place of group[0]?.elements.keys() ?? []) {
      const listTexts = new Set(group.map((cluster) => cluster.elements[place]?.text ?? ""));
      if (listTexts.size === 2 && (place === 0 || [...listTexts].some((text) => !isNameLike(text)))) fixed.add(place);
    }
    return joinEqual(group, (cluster) => starWords(cluster, (text, place) => !fixed.has(place) && isNameOrTerm(text)));
  });
}

function isNameOrTerm(text: string): boolean {
  return isNameLike(text) || isTermLike(text);
}

/** The key with the chosen words as variables, except where a word is a label. */
function starWords(cluster: Cluster, choose: (text: string, place: number) => boolean): string {
  const listTexts = cluster.elements.map((element) => element.text);
  return listTexts
    .map((text, place) => (choose(text, place) && mayVary(listTexts, place) ? variable : text))
    .join("\u0002");
}

function mayVary(listTexts: readonly string[], place: number): boolean {
  if (place > 0) return !isLabelPosition(listTexts, place);
  return /^\w+(?:\.\w+)+$/.test(listTexts[0] ?? "") && !/^[=(]$/.test(listTexts[1] ?? "");
}

/** Joins clusters with the same key; places where they differ become variable. */
function joinEqual(clusters: readonly Cluster[], key: (cluster: Cluster) => string): Cluster[] {
  const groups = Map.groupBy(clusters, key);
  return [...groups.values()].map((group) => group.reduce(join));
}

/** Joins all clusters that agree in all but one place, for every place whose words look like values. */
function joinByOnePlace(clusters: readonly Cluster[], shapes: readonly Joinable[], settings: MergeSettings): Cluster[] {
  const alive = new Set(clusters);
  const buckets = groupByPlace(clusters).filter(({ group }) => group.length > 1);
  buckets.sort((a, b) => b.group.length - a.group.length);
  const joined: Cluster[] = [];
  for (const { place, group: all } of buckets) {
    const group = all.filter((cluster) => alive.has(cluster));
    if (group.length < 2 || !varies({ group, place }, shapes, settings)) continue;
    for (const cluster of group) alive.delete(cluster);
    joined.push(group.reduce(join));
  }
  return [...alive, ...joined];
}

type Bucket = { place: number; group: Cluster[] };

/** The clusters that agree in all but one place, by that place. */
function groupByPlace(clusters: readonly Cluster[]): Bucket[] {
  const buckets = new Map<number, Bucket>();
  for (const cluster of clusters) {
    const listTexts = cluster.elements.map((element) => element.text);
    const keys = listPlaceKeys(listTexts);
    for (const [place, text] of listTexts.entries()) {
      if (text !== variable && (!/\w/.test(text) || isLabelPosition(listTexts, place))) continue;
      const key = keys[place] ?? 0;
      const bucket = buckets.get(key);
      if (bucket === undefined) buckets.set(key, { place, group: [cluster] });
      else bucket.group.push(cluster);
    }
  }
  return [...buckets.values()];
}

function varies({ group, place }: Bucket, shapes: readonly Joinable[], settings: MergeSettings): boolean {
  const listTexts = group[0]?.elements.map((element) => element.text) ?? [];
  const words = group.map((cluster) => cluster.elements[place]?.text ?? "").filter((text) => text !== variable);
  const many = words.every((word) => word === word.toUpperCase()) ? settings.manyCapitals : settings.manyWords;
  if (words.length >= many && !tellEvents(words)) return true;
  if (isValuePosition(listTexts, place, words)) return true;
  if (words.length === group.length) return false;
  const context = listTexts.filter((text, at) => at !== place && /\w/.test(text)).length;
  const numbersOnly = group.every((cluster) => isNumberAt(cluster, place, shapes));
  return !numbersOnly || context >= settings.enoughContext || words.some(isNameLike);
}

/** True when the cluster has a word there or a variable that is a plain number. */
function isNumberAt(cluster: Cluster, place: number, shapes: readonly Joinable[]): boolean {
  const element = cluster.elements[place];
  if (element?.text !== variable) return true;
  const slot = shapes[cluster.representative]?.slots.find((candidate) => candidate.place === element.first);
  return !element.words && slot?.kind === kinds.number;
}

function join(a: Cluster, b: Cluster): Cluster {
  const [major, minor] = rank(b) > rank(a) ? [b, a] : [a, b];
  const elements = major.elements.map((element, place) =>
    element.text === minor.elements[place]?.text ? element : { ...element, text: variable, words: true },
  );
  const members = [...a.members, ...b.members];
  return { elements, members, representative: major.representative, count: a.count + b.count };
}

/** The commonest cluster represents the joined one; a folded one knows which part repeats. */
function rank(cluster: Cluster): number {
  const folded = cluster.elements.some((element) => element.fold !== undefined);
  return folded ? Number.MAX_SAFE_INTEGER : cluster.count;
}

const listDelimiter = /^[,:;/\-|#+@]$/;

/** Variables that joining made neighbours become one, as in a list. */
function collapse(cluster: Cluster): Cluster {
  const elements: Element[] = [];
  for (const element of cluster.elements) {
    elements.push(element);
    if (element.text === variable) joinTail(elements);
  }
  return { ...cluster, elements };
}

function joinTail(elements: Element[]): void {
  const last = elements.length - 1;
  let at = last - 1;
  while (at >= 0 && last - at <= 2 && listDelimiter.test(elements[at]?.text ?? "")) at -= 1;
  const start = elements[at];
  const end = elements[last];
  if (at < 0 || at === last - 1 || start?.text !== variable || end === undefined) return;
  const fold = start.fold ?? end.fold;
  const joined = { text: variable, first: start.first, last: end.last };
  elements.splice(at, last - at + 1, fold ? { ...joined, fold } : joined);
}
