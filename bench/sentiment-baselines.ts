import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { openKoreanLexicon, openLexicon, readMorphemes } from "../src/knowledge/opinions/index.ts";
import type { Row } from "./sentiment-data.ts";

type Place = { start: number; end: number };
type Scored = { start: number; end: number; value: number };

/** The most frequent label of a dataset. */
export function findMajority(rows: readonly Row[]): string {
  const counts = new Map<string, number>();
  for (const { polarity } of rows.flatMap((row) => row.aspects)) counts.set(polarity, (counts.get(polarity) ?? 0) + 1);
  return [...counts].sort((a, b) => b[1] - a[1])[0]?.[0] ?? "neutral";
}

/** The nearest opinion word decides, turned by a negation next to it; none at all is neutral. */
export function nearestWord(row: Row, place: Place, data: string): string {
  const words = row.lang === "ko" ? koreanWords(row.text) : englishWords(row.text, data);
  const gap = (word: Scored) =>
    word.end <= place.start ? place.start - word.end : Math.max(0, word.start - place.end);
  const outside = words.filter((word) => !(word.start >= place.start && word.end <= place.end));
  const nearest = outside.toSorted((a, b) => gap(a) - gap(b))[0];
  return nearest === undefined ? "neutral" : nearest.value > 0 ? "positive" : "negative";
}

let opinionWords: Map<string, number> | undefined;

/** Hu and Liu's list where the measuring data has it, else our own. */
function englishLexicon(data: string): Map<string, number> {
  if (opinionWords) return opinionWords;
  opinionWords = new Map();
  for (const [name, value] of [
    ["positive", 1],
    ["negative", -1],
  ] as const) {
    const path = join(data, "lexicon", `hu_liu_${name}-words.txt`);
    if (!existsSync(path)) return (opinionWords = openLexicon().words);
    for (const line of readFileSync(path, "latin1").split("\n"))
      if (line && !line.startsWith(";")) opinionWords.set(line.trim(), value);
  }
  return opinionWords;
}

function englishWords(text: string, data: string): Scored[] {
  const tokens = [...text.toLowerCase().matchAll(/[a-z]+(?:'[a-z]+)?|n't/g)];
  return tokens.flatMap((token, index) => {
    const value = englishLexicon(data).get(token[0]);
    if (!value) return [];
    const before = tokens.slice(Math.max(0, index - 3), index).map((one) => one[0]);
    const turned = before.some((word) => /^(not|no|never|cannot|without|hardly)$|n't$/.test(word));
    return [{ start: token.index, end: token.index + token[0].length, value: turned ? -value : value }];
  });
}

function koreanWords(text: string): Scored[] {
  const morphemes = readMorphemes(text);
  return morphemes.flatMap((morpheme, index) => {
    const value = /^(VA|VV|NNG|XR|MAG)/.test(morpheme.pos) ? openKoreanLexicon().stems.get(morpheme.text) : undefined;
    if (!value) return [];
    const after = morphemes.slice(index + 1, index + 4).some((one) => /^(않|없|못하|아니)$/.test(one.text));
    const turned = after || /^(안|못)$/.test(morphemes[index - 1]?.text ?? "");
    return [{ start: morpheme.start, end: morpheme.end, value: turned ? -value : value }];
  });
}
