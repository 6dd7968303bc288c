import type { Token } from "../words/token.ts";
import { toWordSet } from "../words/word-classes.ts";

export type ChunkKind =
  | "noun"
  | "verb"
  | "adjective"
  | "adverb"
  | "preposition"
  | "conjunction"
  | "mark"
  | "subordinator"
  | "relative";

/** A run of tokens that works as one unit; `to` is exclusive, `head` is the token that stands for it. */
export type Chunk = { kind: ChunkKind; from: number; to: number; head: number };

export const relatives = toWordSet("which who whom whose where that");

export function isNoun(token: Token | undefined): boolean {
  return token?.pos === "NOUN" || token?.pos === "PROPN";
}

export function isDeterminer(token: Token | undefined): boolean {
  return (
    token?.pos === "DET" || (token?.pos === "PRON" && /^(my|our|your|his|her|its|their|thier|ur)$/.test(token.lower))
  );
}

export function isParticiple(token: Token | undefined): boolean {
  return token?.pos === "VERB" && /(ed|en|ing|t|n)$/.test(token.lower);
}

/** "a bit slow", "a tad small": two words before an adjective or adverb that are a degree, not a thing. */
export function isMeasure(tokens: readonly Token[], from: number): boolean {
  const measured = tokens[from]?.lower === "a" && /^(bit|tad|little|touch|lot)$/.test(tokens[from + 1]?.lower ?? "");
  return measured && tokens[from + 2]?.pos === "ADJ";
}
