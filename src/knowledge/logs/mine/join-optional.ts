import type { Cluster, Element } from "./merge-shapes.ts";
import { variable } from "../scan/message-shaper.ts";

const closes: Record<string, string> = { "(": ")", "[": "]", "<": ">" };
const longestPart = 10;
const enoughFixed = 2;

/**
 * A part in brackets that some messages have and others lack is an optional value: `12 bytes sent` and
 * `2048 bytes (2 KB) sent` are one template. Wording in brackets that never changes stays wording.
 */
export function joinOptional(clusters: readonly Cluster[]): Cluster[] {
  const stripped = clusters.map((cluster) => ({ cluster, ...strip(cluster.elements) }));
  const groups = Map.groupBy(stripped, ({ key }) => key);
  return [...groups.values()].flatMap((group) => {
    const lacking = group.filter(({ parts }) => parts.length === 0);
    const having = group.filter(({ parts }) => parts.length > 0);
    const isOptional = having.length > 0 && new Set(group.map(({ parts }) => parts.length)).size > 1;
    if (
      !isOptional ||
      !mayJoin(
        having.map(({ cluster }) => cluster),
        group[0]?.fixed ?? 0,
      )
    ) {
      return group.map(({ cluster }) => cluster);
    }
    return [
      joinGroup(
        having,
        lacking.map(({ cluster }) => cluster),
      ),
    ];
  });
}

type Part = { first: number; last: number };
type Stripped = { cluster: Cluster; key: string; parts: Part[]; fixed: number };

/** What is left of a message without its parts in brackets. */
function strip(elements: readonly Element[]): Omit<Stripped, "cluster"> {
  const parts: Part[] = [];
  const left: string[] = [];
  for (let at = 0; at < elements.length; at += 1) {
    const end = at > 0 ? findEnd(elements, at) : -1;
    if (end < 0) left.push(elements[at]?.text ?? "");
    else {
      parts.push({ first: at, last: end });
      at = end;
    }
  }
  return { key: left.join("\u0002"), parts, fixed: left.filter((text) => /\w/.test(text)).length };
}

/** Where a part in brackets ends; a call such as `close(` and a bracket without an end are no such part. */
function findEnd(elements: readonly Element[], at: number): number {
  const close = closes[elements[at]?.text ?? ""];
  if (close === undefined) return -1;
  for (let end = at + 1; end < elements.length && end - at <= longestPart; end += 1) {
    const text = elements[end]?.text ?? "";
    if (text === close) return end - at > 1 ? end : -1;
    if (text in closes) return -1;
  }
  return -1;
}

function mayJoin(having: readonly Cluster[], fixed: number): boolean {
  const holdsValue = having.every(({ elements }) => elements.some(({ text }) => text === variable));
  return fixed >= enoughFixed && (holdsValue || having.length >= 3);
}

/** The cluster with most parts speaks for all, with each of its parts as one value. */
function joinGroup(having: readonly Stripped[], lacking: readonly Cluster[]): Cluster {
  const most = having.reduce((a, b) => (b.parts.length > a.parts.length ? b : a));
  const elements = most.cluster.elements.flatMap((element, at): Element[] => {
    const part = most.parts.find(({ first, last }) => at >= first && at <= last);
    if (part === undefined) return [element];
    if (at !== part.first) return [];
    const last = most.cluster.elements[part.last]?.last ?? element.last;
    return [{ text: variable, first: element.first, last, words: true }];
  });
  const all = [...having.map(({ cluster }) => cluster), ...lacking];
  return {
    elements,
    members: all.flatMap(({ members }) => members),
    representative: most.cluster.representative,
    count: all.reduce((sum, { count }) => sum + count, 0),
  };
}
