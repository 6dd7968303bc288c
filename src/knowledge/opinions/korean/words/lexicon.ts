import { type ContextWord, readContextWords } from "../../reading/data.ts";
import { readStrengths } from "../../reading/data.ts";
import { loadOnce } from "../../reading/language.ts";
import { readVocabulary } from "../../reading/data.ts";
import { spell } from "./jamo.ts";
import { spellShapes } from "./stems.ts";

type Shape = { shape: string; stem: string };

export type KoreanLexicon = {
  stems: Map<string, number>;
  /** Shapes of stems in letters, by their first two letters, longest first. */
  shapes: Map<string, Shape[]>;
  longest: number;
};

/** The opinion lexicon of Korean. */
export const openKoreanLexicon = loadOnce((): KoreanLexicon => {
  const stems = new Map<string, number>();
  for (const [value, rest] of readStrengths("ko/opinion.txt"))
    for (const stem of rest.split(/\s+/)) if (!stems.has(stem)) stems.set(stem, value);
  const longest = Math.max(...[...stems.keys()].map((stem) => stem.length));
  return { stems, shapes: listShapes(stems.keys()), longest };
});

function listShapes(stems: Iterable<string>): Map<string, Shape[]> {
  const shapes = new Map<string, Shape[]>();
  for (const stem of stems) {
    if (stem.length < 2) continue;
    for (const shape of spellShapes(stem)) {
      const key = shape.slice(0, 2);
      shapes.set(key, [...(shapes.get(key) ?? []), { shape, stem }]);
    }
  }
  for (const list of shapes.values()) list.sort((a, b) => b.shape.length - a.shape.length);
  return shapes;
}

const openContextStems = loadOnce(() => readContextWords("ko/context.txt"));

/** The entry of a stem such as 크 or 많, whose polarity depends on what it describes. */
export function findContextStem(stem: string): ContextWord | undefined {
  return openContextStems().get(stem);
}

/** The stem whose shape a word starts with, with the letters that follow it. */
export function findStem(word: string): { stem: string; rest: string } | undefined {
  const spelt = spell(word);
  for (const { shape, stem } of openKoreanLexicon().shapes.get(spelt.slice(0, 2)) ?? []) {
    if (spelt.startsWith(shape)) return { stem, rest: spelt.slice(shape.length) };
  }
  return undefined;
}

/** What Korean reviews judge; `longest` is the length of the longest word. */
export const openVocabulary = loadOnce(() => {
  const vocabulary = readVocabulary("ko");
  return { ...vocabulary, longest: Math.max(...[...vocabulary.groups.keys()].map((word) => word.length)) };
});
