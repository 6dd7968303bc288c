import type { Range } from "../reading/reading.ts";
import type { Morpheme } from "./words/morpheme.ts";

/** A noun phrase with the particle after it ("" when it has none). */
export type Phrase = Range & { particle: string; particlePos: string; start: number; end: number };

const nominal = /^(NNG|NNP|NR|SL|SN|XSN|XPN|NP|SH)$/;

/** The noun phrases of a text: runs of nouns in one word or in neighbouring words without a particle between. */
export function findPhrases(morphemes: readonly Morpheme[], opinionAt: (index: number) => boolean): Phrase[] {
  const phrases: Phrase[] = [];
  let at = 0;
  while (at < morphemes.length) {
    if (!starts(morphemes, at, opinionAt)) {
      at += 1;
      continue;
    }
    let to = at + 1;
    while (to < morphemes.length && continues(morphemes, to, opinionAt)) to += 1;
    const after = morphemes[to];
    const particle = after?.pos.startsWith("J") && after.word === morphemes[to - 1]?.word ? after : undefined;
    phrases.push({
      from: at,
      to,
      particle: particle?.text ?? "",
      particlePos: particle?.pos ?? "",
      start: morphemes[at]?.start ?? 0,
      end: morphemes[to - 1]?.end ?? 0,
    });
    at = to;
  }
  return phrases;
}

function starts(morphemes: readonly Morpheme[], at: number, opinionAt: (index: number) => boolean): boolean {
  const morpheme = morphemes[at] as Morpheme;
  return nominal.test(morpheme.pos) && morpheme.pos !== "XSN" && !opinionAt(at) && !isVerbal(morphemes, at);
}

function continues(morphemes: readonly Morpheme[], at: number, opinionAt: (index: number) => boolean): boolean {
  const morpheme = morphemes[at] as Morpheme;
  const before = morphemes[at - 1] as Morpheme;
  if (!nominal.test(morpheme.pos) || opinionAt(at)) return morpheme.pos === "NNB" && /^(S[NL]|NR)$/.test(before.pos);
  return before.pos !== "NP" && !isVerbal(morphemes, at);
}

/** "작동하": a noun that 하다 makes a verb does not name a thing here. */
function isVerbal(morphemes: readonly Morpheme[], at: number): boolean {
  return /^XS[VA]$/.test(morphemes[at + 1]?.pos ?? "");
}
