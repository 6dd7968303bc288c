import { findContextStem, findStem, openKoreanLexicon } from "../words/lexicon.ts";
import type { Morpheme } from "../words/morpheme.ts";
import { asksFor, isRemedy, readTail } from "./tail.ts";

type Fact = { from: number; to: number; stem: string; base: number; context: undefined; fact: true };

const idle = new Set(
  "알 모르 생각 생각하 기억 말 말하 보 보이 있 하 되 그렇 이렇 어떻 묻 물어보 필요 필요하 상관 원하 바라 이해".split(
    " ",
  ),
);

/** Something that is missed or does not happen, told as a fact: "있었으면 싶다", "자리가 없다" (but "소음이 없다" praises), "작동하지 않는다", "못 읽는다". */
export function findFact(morphemes: readonly Morpheme[], at: number): Fact | undefined {
  const here = morphemes[at];
  if (!here) return undefined;
  if (here.pos === "MAG" && here.text === "못") return findInability(morphemes, at);
  if (here.pos.startsWith("V") && /^(없|없어지|사라지)$/.test(here.text)) return findAbsence(morphemes, at);
  if (isRemedy(here)) return asksFor(morphemes, at) ? createFact(at, at + 1, here.text) : undefined;
  if (!/^(VV|VA)$/.test(here.pos) && !/^XS[VA]$/.test(morphemes[at + 1]?.pos ?? "")) return undefined;
  if ((idle.has(here.text) && here.text !== "있") || openKoreanLexicon().stems.has(here.text)) return undefined;
  const tail = readTail(morphemes, at + 1);
  if (tail.mood === "wish") return createFact(at, at + 1, here.text);
  const untried = morphemes.slice(at + 1, tail.next).some((one) => one.pos === "NNB" && one.text === "적");
  if (tail.negations % 2 === 0 || untried) return undefined;
  return { ...createFact(at, at + 1, here.text), base: isHarm(here.text) ? 2 : -1 };
}

/** "자리가 없다", but not "할 수 없다", which negates its verb; "이만한 집이 없다" denies an equal. */
function findAbsence(morphemes: readonly Morpheme[], at: number): Fact | undefined {
  if (isPeerless(morphemes, at)) return { ...createFact(at, at + 1, "없"), base: 2 };
  if (morphemes.slice(Math.max(0, at - 2), at).some((one) => one.pos === "NNB")) return undefined;
  if (readTail(morphemes, at + 1).negations % 2 === 1) return undefined;
  return { ...createFact(at, at + 1, "없"), base: isHarm(findSubject(morphemes, at)) ? 2 : -1 };
}

/** "이만한 식당이", "이런 집은", "여기만 한 데가": what is missing is anything like this one. */
function isPeerless(morphemes: readonly Morpheme[], at: number): boolean {
  return morphemes.slice(Math.max(0, at - 6), at).some(({ pos, text }, index, before) => {
    if (/^(이만하|이런|이만큼|요만하)$/.test(text)) return true;
    return pos === "JX" && text === "만" && before[index + 1]?.text === "하" && before[index + 2]?.pos === "ETM";
  });
}

/** The noun before a predicate, however the analyser cut it: particles, adverbs and counts in between are passed over. */
function findSubject(morphemes: readonly Morpheme[], at: number): string {
  let end = at;
  while (/^(J|MAG|NR|MM|SN|ETN)/.test(morphemes[end - 1]?.pos ?? "")) end -= 1;
  let start = end;
  while (start > end - 3 && /^(NNG|NNP|XR|VV|VA|XPN|XSN)/.test(morphemes[start - 1]?.pos ?? "")) start -= 1;
  return morphemes
    .slice(start, end)
    .map((one) => one.text)
    .join("");
}

/** True for what nobody misses: a word for something bad, or one that the row of 없 names because its absence praises. */
function isHarm(noun: string): boolean {
  if ((openKoreanLexicon().stems.get(findStem(noun)?.stem ?? "") ?? 0) < 0) return true;
  const harms = findContextStem("없")?.praises ?? new Set<string>();
  return [...harms].some((harm) => noun.endsWith(harm));
}

/** "못" before a verb that judges nothing by itself: what cannot be done is missed, what is not done need not be. */
function findInability(morphemes: readonly Morpheme[], at: number): Fact | undefined {
  const verb = morphemes[at + 1];
  if (!verb || !/^(VV|VA|NNG|XR)$/.test(verb.pos) || idle.has(verb.text)) return undefined;
  if (openKoreanLexicon().stems.has(verb.text) || findContextStem(verb.text)) return undefined;
  return readTail(morphemes, at + 2).negations % 2 === 0 ? createFact(at, at + 2, `못${verb.text}`) : undefined;
}

function createFact(from: number, to: number, stem: string): Fact {
  return { from, to, stem, base: -1, context: undefined, fact: true };
}
