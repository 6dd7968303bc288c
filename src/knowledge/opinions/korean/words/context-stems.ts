import { readFileSync } from "node:fs";

/** A stem whose polarity depends on what it describes. */
export type ContextStem = { value: number; praises: Set<string>; blames: Set<string> };

let loaded: Map<string, ContextStem> | undefined;

/** The entry of a stem such as 크 or 많, or undefined. */
export function contextStem(stem: string): ContextStem | undefined {
  loaded ??= load();
  return loaded.get(stem);
}

/** The value of a context stem when it describes these words. */
export function valueOn(entry: ContextStem, words: readonly string[]): number {
  if (words.some((word) => entry.blames.has(word))) return -2;
  return words.some((word) => entry.praises.has(word)) ? 2 : entry.value;
}

function load(): Map<string, ContextStem> {
  const text = readFileSync(new URL("../../../../../data/sentiment/ko/context.txt", import.meta.url), "utf8");
  const groups = new Map<string, string[]>();
  const entries = new Map<string, ContextStem>();
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
    const [stem, value, praises = "", blames = ""] = line.split("|").map((part) => part.trim());
    entries.set(stem as string, { value: Number(value), praises: expand(praises), blames: expand(blames) });
  }
  return entries;
}
