import type { Cluster, Element } from "./merge-shapes.ts";
import { variable } from "../scan/message-shaper.ts";

const longestText = 40;
const enoughTexts = 6;

/** Messages that differ only in what stands between double quotes have a text there that someone wrote: a value. */
export function joinQuoted(clusters: readonly Cluster[]): Cluster[] {
  const opened = clusters.map((cluster) => ({ cluster, elements: openQuotes(cluster.elements) }));
  const groups = Map.groupBy(opened, ({ elements }) => elements.map(({ text }) => text).join("\u0002"));
  return [...groups.values()].flatMap((group) => {
    if (group.length < enoughTexts) return group.map(({ cluster }) => cluster);
    const major = group.reduce((a, b) => (b.cluster.count > a.cluster.count ? b : a));
    return [
      {
        elements: major.elements,
        members: group.flatMap(({ cluster }) => cluster.members),
        representative: major.cluster.representative,
        count: group.reduce((sum, { cluster }) => sum + cluster.count, 0),
      },
    ];
  });
}

/** The elements with each quoted text as one value. */
function openQuotes(elements: readonly Element[]): Element[] {
  const opened: Element[] = [];
  for (let at = 0; at < elements.length; at += 1) {
    const element = elements[at];
    if (element === undefined) continue;
    opened.push(element);
    if (element.text !== '"') continue;
    const close = elements.findIndex(({ text }, index) => index > at && text === '"');
    const [first, last] = [elements[at + 1], elements[close - 1]];
    if (close < 0 || close - at < 2 || close - at > longestText || first === undefined || last === undefined) continue;
    opened.push({ text: variable, first: first.first, last: last.last, words: true });
    opened.push(elements[close] as Element);
    at = close;
  }
  return opened;
}
