import { readDataRows } from "./data-file.ts";

/** A word whose polarity depends on what it describes: a small portion, a small camera. */
export type ContextWord = { value: number; praises: Set<string>; blames: Set<string> };

/** Reads rows "words | value | what it praises | what it blames"; "@name words" makes a list that later rows call $name. */
export function readContextWords(path: string): Map<string, ContextWord> {
  const lists = new Map<string, string[]>();
  const entries = new Map<string, ContextWord>();
  for (const [first = "", value, praises = "", blames = ""] of readDataRows(path)) {
    if (first.startsWith("@")) {
      const [name = "", ...words] = first.slice(1).split(/\s+/);
      lists.set(name, words);
      continue;
    }
    const entry = { value: Number(value), praises: expand(praises, lists), blames: expand(blames, lists) };
    for (const word of first.split(/\s+/)) entries.set(word, entry);
  }
  return entries;
}

function expand(cell: string, lists: ReadonlyMap<string, string[]>): Set<string> {
  const words = cell.split(/\s+/).filter((word) => word !== "");
  return new Set(words.flatMap((word) => (word.startsWith("$") ? (lists.get(word.slice(1)) ?? []) : [word])));
}

/** The value of a context word when it describes these words. */
export function weighContextWord(entry: ContextWord, words: readonly string[]): number {
  if (words.some((word) => entry.blames.has(word))) return -2;
  return words.some((word) => entry.praises.has(word)) ? 2 : entry.value;
}
