import { addWord, readDataLines, readDataRows, readStrengths, readVocabulary } from "../reading/data.ts";
import { loadOnce } from "../reading/language.ts";
import type { Token } from "./token.ts";

type Phrase = { steps: { words: Set<string>; optional: boolean }[]; value: number };

const openLexicon = loadOnce(() => {
  const words = new Map<string, number>();
  const phrases = new Map<string, Phrase[]>();
  const addPhrase = (text: string, value: number) => {
    const steps = text.split(/\s+/).map((step) => ({
      words: new Set(step.replace(/\?$/, "").split("/")),
      optional: step.endsWith("?"),
    }));
    for (const first of steps[0]?.words ?? []) phrases.set(first, [...(phrases.get(first) ?? []), { steps, value }]);
  };
  for (const [value, rest] of [...readStrengths("en/opinion.txt"), ...readStrengths("en/derived.txt")])
    for (const word of rest.split(/\s+/)) {
      if (!words.has(word)) words.set(word, value);
    }
  for (const [value, rest] of readStrengths("en/phrases.txt")) addPhrase(rest, value);
  return { words, phrases };
});

/** The value of a word; "clearly" counts as "clear". */
export function findWordValue({ lower, lemma, pos }: Token): number | undefined {
  const { words } = openLexicon();
  const adjective = pos === "ADV" ? lower.replace(/(?<=...)ly$/, "") : lower;
  return (
    words.get(lower) ?? words.get(adjective) ?? (lemma.slice(0, 3) === lower.slice(0, 3) ? words.get(lemma) : undefined)
  );
}

export function findPhrase(tokens: readonly Token[], start: number): { value: number; end: number } | undefined {
  let best: { value: number; end: number } | undefined;
  for (const { steps, value } of openLexicon().phrases.get(tokens[start]?.lower ?? "") ?? []) {
    let at = start;
    const fits = steps.every(({ words, optional }) => {
      const isHere = words.has(tokens[at]?.lower ?? "");
      if (isHere) at += 1;
      return isHere || optional;
    });
    if (fits && (!best || at > best.end)) best = { value, end: at };
  }
  return best;
}

const offsets: Record<string, number> = { after: -1, before: 1, as: 0 };

const openIdleRows = loadOnce(() => Map.groupBy(readDataRows("en/idle.txt"), ([word = ""]) => word));

/** True where a lexicon word judges nothing: "as well", "kind of", "hard drive"; `idle.txt` documents its rows. */
export function isIdle(tokens: readonly Token[], at: number): boolean {
  const rows = openIdleRows().get((tokens[at] as Token).lower) ?? [];
  return rows.some(([, where = ""]) => {
    if (where === "always") return true;
    if (where === "first") return at === 0;
    const [, not, place = "", list = ""] = /^(not )?(after|before|as) (.+)$/.exec(where) ?? [];
    const token = tokens[at + (offsets[place] ?? 0)];
    const names = list.split(" ");
    const named = token !== undefined && (names.includes(token.lower) || names.includes(token.pos));
    return named === (not === undefined);
  });
}

export const openVocabulary = loadOnce(() => {
  const vocabulary = readVocabulary("en");
  for (const line of readDataLines("en/food.txt"))
    addWord(vocabulary.groups, line.trim().split(" ").at(-1) as string, "food");
  return vocabulary;
});
