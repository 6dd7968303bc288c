import type { Cluster } from "./merge-shapes.ts";
import { variable } from "../scan/message-shaper.ts";

const longestPhrase = 4;
const enoughFixed = 3;

/**
 * Where words vary, a value of several words is a value too: `process name Google Drive as id` goes to
 * `process name <*> as id` when at least three other words of it are the same.
 */
export function joinPhrases(clusters: readonly Cluster[]): Cluster[] {
  const open = new Map<string, Cluster>();
  for (const cluster of clusters) {
    if (cluster.elements.filter(({ text }) => /\w/.test(text)).length < enoughFixed) continue;
    for (const [place, { words }] of cluster.elements.entries())
      if (words) open.set(makeKeyWithout(cluster, place, 1), cluster);
  }
  if (open.size === 0) return [...clusters];
  const lengths = new Set([...open.values()].map(({ elements }) => elements.length));
  const joined = new Set<Cluster>();
  for (const cluster of clusters) {
    const target = findPhraseTarget(cluster, open, lengths);
    if (target === undefined || target === cluster || joined.has(target)) continue;
    target.members.push(...cluster.members);
    target.count += cluster.count;
    joined.add(cluster);
  }
  return clusters.filter((cluster) => !joined.has(cluster));
}

/** The cluster that this one belongs to when two to four of its words in a row are taken as one value. */
function findPhraseTarget(
  cluster: Cluster,
  open: ReadonlyMap<string, Cluster>,
  lengths: ReadonlySet<number>,
): Cluster | undefined {
  for (let length = 2; length <= longestPhrase; length += 1) {
    if (!lengths.has(cluster.elements.length - length + 1)) continue;
    for (let place = 1; place + length <= cluster.elements.length; place += 1) {
      const phrase = cluster.elements.slice(place, place + length);
      if (!phrase.every(({ text }) => text !== variable && /\w/.test(text))) continue;
      const target = open.get(makeKeyWithout(cluster, place, length));
      if (target !== undefined) return target;
    }
  }
  return undefined;
}

function makeKeyWithout({ elements }: Cluster, place: number, length: number): string {
  const listTexts = elements.map(({ text }) => text);
  listTexts.splice(place, length, "\u0003");
  return listTexts.join("\u0002");
}
