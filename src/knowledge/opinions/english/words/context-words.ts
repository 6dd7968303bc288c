import { readFileSync } from "node:fs";

/** A word whose polarity depends on what it describes. */
export type ContextWord = { value: number; praises: Set<string>; blames: Set<string> };

let loaded: Map<string, ContextWord> | undefined;

/** The entry of a word such as "small", or undefined. */
export function contextWord(word: string): ContextWord | undefined {
  loaded ??= load();
  return loaded.get(word);
}

/** The value of a context word when it describes `noun` (a head word, lower case). */
export function valueOn(entry: ContextWord, nouns: readonly string[]): number {
  if (nouns.some((noun) => entry.blames.has(noun))) return -2;
  if (nouns.some((noun) => entry.praises.has(noun))) return 2;
  return entry.value;
}

function load(): Map<string, ContextWord> {
  const text = readFileSync(new URL("../../../../../data/sentiment/en/context.txt", import.meta.url), "utf8");
  const groups = new Map<string, string[]>();
  const entries = new Map<string, ContextWord>();
  const expand = (list: string) =>
    new Set(
      list
        .split(/\s+/)
        .flatMap((word) => (word.startsWith("$") ? (groups.get(word.slice(1)) ?? []) : word ? [word] : [])),
    );
  for (const line of text.split("\n")) {
    if (line.startsWith("#") || line.trim() === "") continue;
    if (line.startsWith("@")) {
      const [name, ...words] = line.slice(1).split(/\s+/);
      groups.set(name as string, words);
      continue;
    }
    const [words, value, praises = "", blames = ""] = line.split("|").map((part) => part.trim());
    const entry = { value: Number(value), praises: expand(praises), blames: expand(blames) };
    for (const word of (words as string).split(/\s+/)) entries.set(word, entry);
  }
  return entries;
}
