import type { Cluster, Element } from "./merge-shapes.ts";
import { variable } from "../scan/message-shaper.ts";

const longestRepeat = 8;

/**
 * A part that repeats with new values (`node-1 0x1 <ok> node-2 0x3 <ok>`) is a list: clusters that differ only in how
 * often it repeats are keyed alike. Where nothing differs, nothing is folded.
 */
export function foldRepeats(clusters: readonly Cluster[]): Cluster[] {
  const folded = clusters.map((cluster) => ({ cluster, fold: foldElements(cluster.elements) }));
  const lengths = Map.groupBy(folded, ({ fold }) => fold.map((element) => element.text).join("\u0002"));
  return [...lengths.values()].flatMap((group) => {
    const differ = group.some(({ cluster }) => cluster.elements.length !== group[0]?.cluster.elements.length);
    return group.map(({ cluster, fold }) => (differ ? { ...cluster, elements: fold } : cluster));
  });
}

function foldElements(elements: readonly Element[]): Element[] {
  const kept: Element[] = [];
  for (const element of elements) {
    kept.push(element);
    for (let length = 2; length <= longestRepeat && 2 * length <= kept.length; length += 1) {
      if (!repeats(kept, length)) continue;
      kept.length -= length;
      markFold(kept, length, element.last);
      break;
    }
  }
  return kept;
}

/** The last `length` elements stand for everything up to `last`. */
function markFold(elements: Element[], length: number, last: number): void {
  const from = elements.length - length;
  const fold = { first: elements[from]?.fold?.first ?? elements[from]?.first ?? 0, last };
  for (let at = from; at < elements.length; at += 1) {
    const element = elements[at];
    if (element) elements[at] = { ...element, fold };
  }
}

function repeats(elements: readonly Element[], length: number): boolean {
  const end = elements.length;
  let hasVariable = false;
  for (let at = end - length; at < end; at += 1) {
    if (elements[at]?.text !== elements[at - length]?.text) return false;
    hasVariable ||= elements[at]?.text === variable;
  }
  return hasVariable;
}
