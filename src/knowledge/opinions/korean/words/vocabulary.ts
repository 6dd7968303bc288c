import { readFileSync } from "node:fs";

const folder = new URL("../../../../../data/sentiment/ko/", import.meta.url);

/** What Korean reviews judge: the group of each head word, and the nouns they only mention. */
export type Vocabulary = { groups: Map<string, string>; mentioned: Set<string>; longest: number };

let loaded: Vocabulary | undefined;

export function vocabulary(): Vocabulary {
  loaded ??= load();
  return loaded;
}

function load(): Vocabulary {
  const groups = new Map<string, string>();
  for (const line of read("aspects.txt")) {
    const [group = "", words = ""] = line.split(":");
    for (const word of words.trim().split(/\s+/)) if (!groups.has(word)) groups.set(word, group);
  }
  const mentioned = new Set(read("not-aspects.txt").flatMap((line) => line.split(/\s+/)));
  return { groups, mentioned, longest: Math.max(...[...groups.keys()].map((word) => word.length)) };
}

function read(name: string): string[] {
  const lines = readFileSync(new URL(name, folder), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}
