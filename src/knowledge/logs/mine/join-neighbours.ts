import type { Cluster } from "./merge-shapes.ts";
import { variable } from "../scan/message-shaper.ts";

const enoughPairs = 3;

/**
 * The same words turning up in two neighbouring places are a list of values: `status ( on off )`, `status ( off on )`,
 * `status ( on on )`. Both places become variable.
 */
export function joinNeighbours(clusters: readonly Cluster[]): Cluster[] {
  const buckets = new Map<string, { place: number; other: number; group: Cluster[] }>();
  for (const cluster of clusters) {
    const listTexts = cluster.elements.map(({ text }) => text);
    for (let place = 1; place + 1 < listTexts.length; place += 1) {
      const other = findNeighbour(listTexts, place);
      if (other < 0) continue;
      const key = listTexts.with(place, "\u0003").with(other, "\u0003").join("\u0002");
      const bucket = buckets.get(key);
      if (bucket) bucket.group.push(cluster);
      else buckets.set(key, { place, other, group: [cluster] });
    }
  }
  const joined = new Set<Cluster>();
  const lists: Cluster[] = [];
  for (const { place, other, group } of buckets.values()) {
    if (group.length < enoughPairs || group.some((cluster) => joined.has(cluster))) continue;
    if (!shareWords(group, place, other)) continue;
    for (const cluster of group) joined.add(cluster);
    lists.push(makeList(group, place, other));
  }
  return [...clusters.filter((cluster) => !joined.has(cluster)), ...lists];
}

function isWord(text: string | undefined): boolean {
  return text !== undefined && text !== variable && /^\w/.test(text);
}

/** The place of the next word when there is at most an arrow or two other signs in between, else -1. */
function findNeighbour(texts: readonly string[], place: number): number {
  if (!isWord(texts[place])) return -1;
  let other = place + 1;
  while (other - place <= 2 && /^[-=>/|]+$/.test(texts[other] ?? "")) other += 1;
  return isWord(texts[other]) ? other : -1;
}

/** At least two words occur in both places, and they are most of what occurs there. */
function shareWords(group: readonly Cluster[], place: number, other: number): boolean {
  const left = new Set(group.map(({ elements }) => elements[place]?.text ?? ""));
  const right = new Set(group.map(({ elements }) => elements[other]?.text ?? ""));
  const shared = left.intersection(right).size;
  return shared >= 2 && 2 * shared > left.union(right).size;
}

function makeList(group: readonly Cluster[], place: number, other: number): Cluster {
  const major = group.reduce((a, b) => (b.count > a.count ? b : a));
  const elements = major.elements.map((element, at) =>
    at === place || at === other ? { ...element, text: variable, words: true } : element,
  );
  const members = group.flatMap((cluster) => cluster.members);
  return {
    elements,
    members,
    representative: major.representative,
    count: group.reduce((sum, { count }) => sum + count, 0),
  };
}
