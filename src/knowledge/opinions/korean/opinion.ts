import type { Opinion } from "../reading/reading.ts";
import { openKoreanLexicon } from "./lexicon.ts";
import type { Morpheme } from "./morpheme.ts";

export type KoreanOpinion = Opinion & { tail: Tail };

type Found = { from: number; to: number; base: number };

export function findOpinions(text: string, morphemes: readonly Morpheme[]): KoreanOpinion[] {
  const opinions: KoreanOpinion[] = [];
  let at = 0;
  while (at < morphemes.length) {
    const found = findStemAt(morphemes, at);
    const opinion = found && weigh(text, morphemes, found);
    if (opinion) opinions.push(opinion);
    at = opinion ? Math.max(opinion.to, opinion.tail.next) : (found?.to ?? at + 1);
  }
  return opinions;
}

const content = /^(NN|VA|VV|XR|MAG|IC|SL|MM|XPN|VX|SW)/;

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
    const base = stems.get(key) ?? (key.endsWith("하") ? stems.get(key.slice(0, -1)) : undefined);
    if (base !== undefined) best = { from: at, to: to + 1, base };
    if (/^(EF|SF|SP|EC)/.test(morpheme.pos) && to > at) break;
  }
  return best;
}

function weigh(text: string, morphemes: readonly Morpheme[], found: Found): KoreanOpinion {
  const tail = readTail(morphemes, found.to);
  const before = morphemes[found.from - 1];
  const turned = before !== undefined && before.pos === "MAG" && /^(안|못)$/.test(before.text);
  const { from, to, base } = found;
  const negated = (tail.negations + (turned ? 1 : 0)) % 2 === 1;
  const plain = !negated ? base : base > 0 ? -Math.min(2.2, base) : Math.min(1.5, -0.6 * base);
  const wished = plain > 0 ? -Math.min(1.5, plain) : plain * 0.5;
  const start = morphemes[turned ? from - 1 : from]?.start ?? 0;
  const end = Math.max(
    start + 1,
    ...morphemes
      .slice(from, Math.max(to, tail.next))
      .filter((one) => !one.pos.startsWith("S"))
      .map((one) => one.end),
  );
  return {
    span: { start, end },
    term: text.slice(start, end),
    from,
    to,
    tail,
    value: tail.isWish ? wished : plain,
    base,
    clause: 0,
    negated,
  };
}

type Tail = {
  negations: number;
  /** "modifies" the next noun, "joins" another clause, or "ends" the sentence. */
  link: "modifies" | "joins" | "ends";
  next: number;
  isWish: boolean;
};

function readTail(morphemes: readonly Morpheme[], at: number): Tail {
  const tail: Tail = { negations: 0, link: "ends", next: at, isWish: false };
  let past = false;
  for (;;) {
    const here = morphemes[tail.next];
    const step = findNegation(morphemes, tail.next) ?? findHelper(morphemes, tail.next);
    if (step) {
      tail.negations += step.negations;
      tail.next = step.next;
    } else if (is(here, "ETM")) return endAsModifier(morphemes, tail, past);
    else if (is(here, "EC")) return endAsJoint(morphemes, tail, past);
    else if (is(here, "EF") || is(here, "ETN")) return { ...tail, next: tail.next + 1 };
    else if (is(here, "EP") || is(here, "XS") || is(here, "VCP") || is(here, "J")) {
      past ||= is(here, "EP", "었", "았", "였", "했");
      tail.next += 1;
    } else return tail;
  }
}

function is(morpheme: Morpheme | undefined, pos: string, ...texts: string[]): boolean {
  return (
    morpheme !== undefined && morpheme.pos.startsWith(pos) && (texts.length === 0 || texts.includes(morpheme.text))
  );
}

function skip(morphemes: readonly Morpheme[], at: number, ...parts: string[]): number {
  let next = at;
  while (parts.some((pos) => is(morphemes[next], pos))) next += 1;
  return next;
}

type Step = { negations: number; next: number } | undefined;

function findNegation(morphemes: readonly Morpheme[], at: number): Step {
  return findNegatedVerb(morphemes, at) ?? findOccasion(morphemes, at);
}

/** -지 않-, -지 못하-, -지 말-, -지 못. */
function findNegatedVerb(morphemes: readonly Morpheme[], at: number): Step {
  if (!is(morphemes[at], "E", "지", "질", "진")) return undefined;
  const next = skip(morphemes, at + 1, "J");
  const negated = is(morphemes[next], "MAG", "못", "안") || is(morphemes[next], "V", "않", "못하", "말", "아니하");
  return negated ? { negations: 1, next: next + 1 } : undefined;
}

/** -ㄴ 적이 (한 번도) 없-, -ㄹ 필요 없-, -ㄹ 이유가 전혀 없-; -다고는 할 수 없-, -다고 못 하-. The analyser takes "적" for a verb, too. */
function findOccasion(morphemes: readonly Morpheme[], at: number): Step {
  const [here, noun] = [morphemes[at], morphemes[at + 1]];
  const said = morphemes[skip(morphemes, at + 1, "J")];
  const isOccasion = is(here, "ETM") && (noun?.text === "적" || is(noun, "NNG", "필요", "이유", "일", "틈"));
  const isSaid =
    /다고$|라고$/.test(here?.text ?? "") && (is(said, "V", "하") || is(said, "NNG", "말") || is(said, "MAG", "못"));
  if (!isOccasion && !isSaid) return undefined;
  const isEnd = (one: Morpheme) =>
    is(one, "V", "없") || (isSaid && is(one, "MAG", "못")) || is(one, "EF") || is(one, "EC");
  const end = morphemes.findIndex((one, index) => index > at + Number(isOccasion) && isEnd(one));
  return end < 0 || is(morphemes[end], "E") ? undefined : { negations: 1, next: end + 1 };
}

/** Auxiliary verbs and "것 같다", "듯하다", "-고 있다", "-는 걸 보다", which continue the predicate. */
function findHelper(morphemes: readonly Morpheme[], at: number): Step {
  const [here, after] = [morphemes[at], morphemes[at + 1]];
  if (is(here, "EC") && is(after, "VX") && !is(here, "EC", "으면", "면")) return { negations: 0, next: at + 2 };
  if (is(here, "EC", "고") && is(after, "V", "있", "싶")) return { negations: 0, next: at + 2 };
  if (
    !is(here, "ETM") ||
    !is(after, "NNB", "것", "거", "게", "데", "점", "편", "듯", "정도", "만큼", "축", "줄", "모양")
  )
    return undefined;
  const next = skip(morphemes, at + 2, "J", "XSA", "XSV");
  if (is(morphemes[next], "VCN") || is(morphemes[next], "V", "없")) return { negations: 1, next: next + 1 };
  return is(morphemes[next], "V", "같", "하", "보") ? { negations: 0, next: next + 1 } : undefined;
}

/** An ending that modifies the next noun; "좋았을" is counterfactual. */
function endAsModifier(morphemes: readonly Morpheme[], tail: Tail, past: boolean): Tail {
  const unreal = past && is(morphemes[tail.next], "ETM", "을", "ㄹ");
  return { ...tail, link: "modifies", next: tail.next + 1, isWish: unreal };
}

/** Continues with another clause; "-으면 좋겠다", "-으면 한다", "-었으면 -을 텐데" are wishes. */
function endAsJoint(morphemes: readonly Morpheme[], tail: Tail, past: boolean): Tail {
  const ending = morphemes[tail.next]?.text ?? "";
  const next = tail.next + 1;
  const isCondition = /^(으면|면|다면|라면|ㄴ다면|는다면|더라면|거든)$/.test(ending);
  const isWish = isCondition && (isWished(morphemes, next) || (past && isUnreal(morphemes, next)));
  return { ...tail, link: "joins", next, isWish };
}

/** "…줬을 거예요", "…왔을 텐데": what would have been. */
function isUnreal(morphemes: readonly Morpheme[], from: number): boolean {
  const end = morphemes.findIndex((one, at) => at >= from && one.pos === "SF");
  return morphemes
    .slice(from, end < 0 ? undefined : end)
    .some((one, at, rest) => is(one, "ETM", "을", "ㄹ") && is(rest[at - 1], "EP") && is(rest[at + 1], "NNB"));
}

function isWished(morphemes: readonly Morpheme[], next: number): boolean {
  const here = morphemes[next];
  const hoped = morphemes.slice(next + 1, next + 3).some((one) => is(one, "EP", "겠"));
  return is(here, "V", "하", "싶") || (is(here, "V", "좋") && hoped);
}
