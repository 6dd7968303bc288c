import { lettersOf, spell } from "./jamo.ts";
import { findStem, openKoreanLexicon } from "./lexicon.ts";

type Part = { text: string; pos: string };

/** Takes a word apart by our own stems where the analyser took it for one unknown noun ("불친절했고", "더러웠어요"). */
export function recoverWord(word: string, parts: Part[]): Part[] {
  if (isForeignName(parts))
    return splitParticle([
      { text: word.replace(/[^가-힣]+$/, ""), pos: "NNG" },
      ...parts.filter((part) => part.pos.startsWith("S")),
    ]);
  if (!looksUnknown(word, parts)) return splitParticle(parts);
  const found = findStem(word);
  if (!found) return splitParticle(parts);
  const marks = parts.filter((part) => /^S[FPSEOW]$/.test(part.pos));
  return [{ text: found.stem, pos: "VA" }, ...readEnding(found.rest), ...marks];
}

/** "커스타드" as 크 + 어 + 스타드: no Korean word has a verb's inside ending before a noun. */
function isForeignName(parts: readonly Part[]): boolean {
  const [verb, ending, noun] = parts;
  return (
    /^V[AV]$/.test(verb?.pos ?? "") &&
    verb?.text.length === 1 &&
    ending?.pos === "EC" &&
    /^[어아]$/.test(ending.text) &&
    noun !== undefined &&
    noun.pos.startsWith("NN")
  );
}

/** "파드타이를": the particle of a name that the analyser does not know. */
function splitParticle(given: Part[]): Part[] {
  const parts = given.map((part, index) =>
    index > 0 && part.pos === "XSN" && /^[이가]$/.test(part.text) ? { ...part, pos: "JKS" } : part,
  );
  const [first, ...rest] = parts;
  if (!first?.pos.startsWith("NN") || first.text.length < 3) return parts;
  const match =
    /^(.{2,}?)(에서는|에서|으로|에게|까지|을|를|은|는)$/.exec(first.text) ?? /^(.{3,})(이|가)$/.exec(first.text);
  if (!match || !agreesWith(match[1] as string, match[2] as string)) return parts;
  const pos = particles[match[2] as string] ?? "JKB";
  return [{ text: match[1] as string, pos: first.pos }, { text: match[2] as string, pos }, ...rest];
}

const particles: Record<string, string> = { 을: "JKO", 를: "JKO", 은: "JX", 는: "JX", 이: "JKS", 가: "JKS" };

/** 을, 은, 이 follow a consonant, 를, 는, 가 a vowel. */
function agreesWith(noun: string, particle: string): boolean {
  const final = lettersOf(noun.at(-1) ?? "")?.[2];
  if (final === undefined) return false;
  if (/^(을|은|이)$/.test(particle)) return final !== "";
  return /^(를|는|가)$/.test(particle) ? final === "" : true;
}

/** One long noun with a verb's ending, or a noun broken into pieces that are not Korean. */
function looksUnknown(word: string, parts: readonly Part[]): boolean {
  const first = parts[0];
  if (/^[JE]/.test(first?.pos ?? "")) return true;
  if (!first || !/^[가-힣]+/.test(word) || openKoreanLexicon().stems.has(first.text)) return looksBroken(word, parts);
  const bare = word.replace(/[^가-힣]+$/, "");
  return (
    first.pos.startsWith("NN") &&
    first.text === bare &&
    bare.length >= 3 &&
    /(요|다|고|서|데|만|며|면|는|은|지|네|죠|음|함|임|한|된|던|까|니|게|해|워|려|져|어|아|야)$/.test(bare)
  );
}

/** "더 러웠 고": a past ending inside a noun, where one of our stems would begin the word. */
function looksBroken(word: string, parts: readonly Part[]): boolean {
  const past = parts.some((part) => part.pos === "NNG" && /[웠렸졌왔었]/.test(part.text));
  return past && (findStem(word)?.stem.length ?? 0) >= 2;
}

/** The ending of a word, from the letters after its stem. */
function readEnding(rest: string): Part[] {
  const past = /[ㅆ]/.test(rest) ? [{ text: "었", pos: "EP" }] : [];
  const ending = endings.find(([pattern]) => pattern.test(rest));
  return ending ? [...past, { text: ending[1], pos: ending[2] }] : past;
}

const endings: [RegExp, string, string][] = (
  [
    ["지만(요)?$", "지만", "EC"],
    ["(는|은|ㄴ|인)데(요)?$", "는데", "EC"],
    ["(으나|나)$", "으나", "EC"],
    ["고(요)?$", "고", "EC"],
    ["(으며|며)$", "며", "EC"],
    ["서(요)?$", "어서", "EC"],
    ["(니까|으니|니)$", "니까", "EC"],
    ["면$", "으면", "EC"],
    ["지(도|는)?$", "지", "EC"],
    ["게$", "게", "EC"],
    ["(은|는|ㄴ|던|운|한|된)$", "은", "ETM"],
    ["(음|ㅁ|기)$", "음", "ETN"],
    [".*", "다", "EF"],
  ] as const
).map(([pattern, text, pos]) => [new RegExp(spell(pattern.replace(/[가-힣]+/g, (part) => spell(part)))), text, pos]);
