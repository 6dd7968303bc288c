import { readFileSync } from "node:fs";

const folder = new URL("../../../../../data/sentiment/en/", import.meta.url);

/** What English reviews judge: the group of each head word or compound, and the nouns they only mention. */
export type Vocabulary = { groups: Map<string, string>; mentioned: Set<string> };

let loaded: Vocabulary | undefined;

export function vocabulary(): Vocabulary {
  loaded ??= load();
  return loaded;
}

function load(): Vocabulary {
  const groups = new Map<string, string>();
  const add = (term: string, group: string) => {
    if (!groups.has(term)) groups.set(term, group);
  };
  for (const line of read("aspects.txt")) {
    const [group = "", words = ""] = line.split(":");
    for (const word of words.trim().split(/\s+/)) add(word.replaceAll("_", " "), group);
  }
  for (const line of read("food.txt")) add(line.trim().split(" ").at(-1) as string, "food");
  return { groups, mentioned: new Set(read("not-aspects.txt").flatMap((line) => line.split(/\s+/))) };
}

function read(name: string): string[] {
  const lines = readFileSync(new URL(name, folder), "utf8").split("\n");
  return lines.filter((line) => line !== "" && !line.startsWith("#"));
}
