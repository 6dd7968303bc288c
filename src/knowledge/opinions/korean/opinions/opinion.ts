import type { PlacedOpinion } from "../../reading/reading.ts";
import { type ContextWord, weighContextWord } from "../../reading/data.ts";
import { readDegree } from "./degree.ts";
import { findDoneWell } from "./done-well.ts";
import { findFact } from "./fact.ts";
import { findContextStem, openKoreanLexicon } from "../words/lexicon.ts";
import type { Morpheme } from "../words/morpheme.ts";
import { readTail, type Tail } from "./tail.ts";

export type KoreanOpinion = PlacedOpinion & { tail: Tail; stem: string; noun: string };

type Found = { from: number; to: number; stem: string; base: number; context: ContextWord | undefined; fact: boolean };

/** Finds every opinion of a text and works out what negation, degree and mood make of it. */
export function findOpinions(text: string, morphemes: readonly Morpheme[]): KoreanOpinion[] {
  const opinions: KoreanOpinion[] = [];
  let at = 0;
  while (at < morphemes.length) {
    const found = findDoneWell(morphemes, at) ?? findStemAt(morphemes, at) ?? findFact(morphemes, at);
    const opinion = found && !isIdle(morphemes, found) ? weigh(text, morphemes, found) : undefined;
    if (opinion) opinions.push(opinion);
    at = opinion ? Math.max(opinion.to, opinion.tail.next) : (found?.to ?? at + 1);
  }
  return opinions;
}

const content = /^(NN|VA|VV|XR|MAG|IC|SL|MM|XPN|VX|SW)/;

/** The longest stem of the lexicon that starts at a morpheme; particles inside it are passed over. */
function findStemAt(morphemes: readonly Morpheme[], at: number): Found | undefined {
  const first = morphemes[at];
  if (!first || !content.test(first.pos) || first.pos === "VX") return undefined;
  const { stems, longest } = openKoreanLexicon();
  let best: Found | undefined;
  let key = "";
  for (let to = at; to < Math.min(morphemes.length, at + 7); to += 1) {
    const morpheme = morphemes[to] as Morpheme;
    if (to > at && /^(J|EP)/.test(morpheme.pos) && !stems.has(key + morpheme.text)) continue;
    key += morpheme.text;
    if (key.length > longest) break;
    const context = to === at && describes(first) ? findContextStem(key) : undefined;
    const base = context?.value ?? stems.get(key) ?? (key.endsWith("하") ? stems.get(key.slice(0, -1)) : undefined);
    if (base !== undefined) best = { from: at, to: to + 1, stem: key, base, context, fact: false };
    if (/^(EF|SF|SP|EC)/.test(morpheme.pos) && to > at) break;
  }
  return best;
}

/** A quality of something that is there. */
function describes(morpheme: Morpheme): boolean {
  return morpheme.pos === "VA" && morpheme.text !== "없";
}

const polarityAdverbs = new Set(["별로", "그다지", "그닥", "딱히", "썩", "그저"]);

/** "별로 좋지 않다": the adverb only announces the negation. */
function isIdle(morphemes: readonly Morpheme[], found: Found): boolean {
  if (!polarityAdverbs.has(found.stem)) return false;
  const after = morphemes.slice(found.to, found.to + 12);
  const end = after.findIndex((one) => /^(EF|SF)/.test(one.pos));
  return after
    .slice(0, end < 0 ? after.length : end)
    .some((one) => /^(않|없|못하|못|안|아니)$/.test(one.text) && /^(V|MAG)/.test(one.pos));
}

function weigh(text: string, morphemes: readonly Morpheme[], found: Found): KoreanOpinion {
  const tail = readTail(morphemes, skipCompound(morphemes, found));
  const degree = readDegree(morphemes, found.from);
  const before = morphemes[found.from - 1];
  const turned = before !== undefined && before.pos === "MAG" && /^(안|못)$/.test(before.text) && !found.fact;
  const negations = found.fact ? 0 : tail.negations + (turned ? 1 : 0);
  const wishing = found.stem === "좋" && isWish(morphemes, found.from);
  const valueFor = (words: readonly string[]) => {
    let value = degree * (found.context ? weighContextWord(found.context, words) : found.base);
    if (negations % 2 === 1) value = value > 0 ? -Math.min(2.2, value) : Math.min(1.5, -0.6 * value);
    if (wishing) return -1;
    return underMood(value, tail.mood);
  };
  const start = morphemes[turned ? found.from - 1 : found.from]?.start ?? 0;
  const end = Math.max(
    start + 1,
    ...morphemes
      .slice(found.from, Math.max(found.to, tail.next))
      .filter((one) => !one.pos.startsWith("S"))
      .map((one) => one.end),
  );
  const shape = {
    span: { start, end },
    term: text.slice(start, end),
    from: found.from,
    to: found.to,
    stem: found.stem,
    tail,
  };
  const noun = morphemes[found.from]?.text ?? "";
  const kind = found.fact ? ("fact" as const) : ("judgement" as const);
  return {
    ...shape,
    noun,
    kind,
    value: valueFor([]),
    base: found.base,
    clause: 0,
    negated: negations % 2 === 1,
    valueFor,
  };
}

/** "소음 문제가 해결됐다": what happens to the last noun of a compound happens to the first. */
function skipCompound(morphemes: readonly Morpheme[], { from, to }: Found): number {
  const isHarm = ({ pos, text }: Morpheme) => pos === "NNG" && (openKoreanLexicon().stems.get(text) ?? 0) < 0;
  return morphemes.slice(from, to + 1).every(isHarm) ? Math.min(to + 1, morphemes.length) : to;
}

/** "좋겠다", "좋을 텐데": a wish, not praise. */
function isWish(morphemes: readonly Morpheme[], at: number): boolean {
  return morphemes
    .slice(at + 1, at + 4)
    .some((one) => (one.pos === "EP" && one.text === "겠") || (one.pos === "ETM" && /^(을|ㄹ)$/.test(one.text)));
}

function underMood(value: number, mood: Tail["mood"]): number {
  if (mood === "wish") return value > 0 ? -Math.min(1.5, value) : value * 0.5;
  if (mood === "hearsay") return 0;
  return mood === "condition" ? value * 0.3 : value;
}
