import type { Cluster, Element } from "./merge-shapes.ts";
import { variable } from "../scan/message-shaper.ts";
import { isLabelPosition } from "./word-role.ts";

/** This many other words must be the same. */
const enoughFixed = 3;

/**
 * Where values in several places are words that hardly ever come again (names, titles), no two messages agree in all but
 * one place. What is common to many messages of a length is their wording, and what is rare in its place is a value.
 */
export function joinRareWords(clusters: readonly Cluster[], enoughAlike: number): Cluster[] {
  const byLength = Map.groupBy(clusters, ({ elements }) => elements.length);
  return [...byLength.values()].flatMap((group) =>
    group.length < enoughAlike ? group : joinOfLength(group, enoughAlike),
  );
}

function joinOfLength(group: readonly Cluster[], enoughAlike: number): Cluster[] {
  const counts = new Map<string, number>();
  for (const { elements } of group) {
    for (const [place, { text }] of elements.entries()) {
      const key = `${place} ${text}`;
      counts.set(key, (counts.get(key) ?? 0) + 1);
    }
  }
  const keep = (elements: readonly Element[]) => keepCommon(elements, counts, enoughAlike);
  const families = Map.groupBy(group, ({ elements }) => keep(elements).join("\u0002"));
  return [...families.values()].flatMap((family) =>
    family.length >= enoughAlike && isFamily(family, keep) ? [joinFamily(family, keep)] : family,
  );
}

/** The texts with rare words as variables; labels are wording however rare they are. */
function keepCommon(elements: readonly Element[], counts: ReadonlyMap<string, number>, least: number): string[] {
  const texts = elements.map(({ text }) => text);
  return texts.map((text, place) => {
    const mayVary =
      /^[\w-]+$/.test(text) && (place === 0 ? /^\w+$/.test(texts[1] ?? "") : !isLabelPosition(texts, place));
    return mayVary && (counts.get(`${place} ${text}`) ?? 0) < least ? variable : text;
  });
}

type Keep = (elements: readonly Element[]) => string[];

/** Many messages, each of whose open places holds many different words. */
function isFamily(family: readonly Cluster[], keep: Keep): boolean {
  const [first] = family;
  if (first === undefined) return false;
  const kept = keep(first.elements);
  const open = kept.flatMap((text, place) =>
    text === variable && first.elements[place]?.text !== variable ? [place] : [],
  );
  const isOpen = (place: number) =>
    new Set(family.map(({ elements }) => elements[place]?.text)).size * 2 >= family.length;
  return kept.filter((text) => /\w/.test(text)).length >= enoughFixed && open.length > 0 && open.every(isOpen);
}

/** One cluster with the rare words as values; values side by side are one of several words. */
function joinFamily(family: readonly Cluster[], keep: Keep): Cluster {
  const major = family.reduce((a, b) => (b.count > a.count ? b : a));
  const kept = keep(major.elements);
  const elements: Element[] = [];
  for (const [place, element] of major.elements.entries()) {
    const last = elements.at(-1);
    const isWord = kept[place] === variable && element.text !== variable;
    if (isWord && last?.words === true) elements[elements.length - 1] = { ...last, last: element.last };
    else elements.push(isWord ? { ...element, text: variable, words: true } : element);
  }
  return {
    elements,
    members: family.flatMap(({ members }) => members),
    representative: major.representative,
    count: family.reduce((sum, { count }) => sum + count, 0),
  };
}
