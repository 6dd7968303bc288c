import { readFileSync } from "node:fs";
import { spell } from "./jamo.ts";
import { shapesOf } from "./stems.ts";

const folder = new URL("../../../../../data/sentiment/ko/", import.meta.url);

export type Entry = { stem: string; value: number };

export type KoreanLexicon = {
  stems: Map<string, number>;
  /** Shapes of stems in letters, by their first two letters, longest first. */
  shapes: Map<string, { shape: string; stem: string }[]>;
  longest: number;
};

let loaded: KoreanLexicon | undefined;

/** The opinion lexicon of Korean. */
export function koreanLexicon(): KoreanLexicon {
  loaded ??= load();
  return loaded;
}

function load(): KoreanLexicon {
  const stems = new Map<string, number>();
  for (const line of readFileSync(new URL("opinion.txt", folder), "utf8").split("\n")) {
    const match = /^([+-]?\d)\s+(.+)$/.exec(line);
    if (match)
      for (const stem of (match[2] as string).split(/\s+/)) if (!stems.has(stem)) stems.set(stem, Number(match[1]));
  }
  const shapes = new Map<string, { shape: string; stem: string }[]>();
  for (const stem of stems.keys()) {
    if (stem.length < 2) continue;
    for (const shape of shapesOf(stem)) {
      const key = shape.slice(0, 2);
      shapes.set(key, [...(shapes.get(key) ?? []), { shape, stem }]);
    }
  }
  for (const list of shapes.values()) list.sort((a, b) => b.shape.length - a.shape.length);
  return { stems, shapes, longest: Math.max(...[...stems.keys()].map((stem) => stem.length)) };
}

/** The stem whose shape a word starts with, with the letters that follow it. */
export function stemOfWord(word: string): { stem: string; rest: string } | undefined {
  const spelt = spell(word);
  for (const { shape, stem } of koreanLexicon().shapes.get(spelt.slice(0, 2)) ?? []) {
    if (spelt.startsWith(shape)) return { stem, rest: spelt.slice(shape.length) };
  }
  return undefined;
}
