import type { Morpheme } from "../words/morpheme.ts";

/** What follows a predicate or a noun of judgement: negations, its mood, and what it goes on to. */
export type Tail = {
  negations: number;
  /** "modifies": describes the noun after it; "joins": goes on to another clause; "ends": closes the sentence. */
  link: "modifies" | "joins" | "ends";
  ending: string;
  /** The first morpheme after the predicate. */
  next: number;
  /** "hearsay" is what others say. */
  mood: "fact" | "wish" | "condition" | "hearsay";
};

/** Reads on from `at`, the first morpheme after a stem. */
export function readTail(morphemes: readonly Morpheme[], at: number): Tail {
  const tail: Tail = { negations: 0, link: "ends", ending: "", next: at, mood: "fact" };
  let past = false;
  for (;;) {
    const here = morphemes[tail.next];
    const step = findNegation(morphemes, tail.next) ?? findHelper(morphemes, tail.next);
    if (step) {
      tail.negations += step.negations;
      tail.next = step.next;
    } else if (is(here, "ETM")) return endAsModifier(morphemes, tail, past);
    else if (is(here, "EC")) return endAsJoint(morphemes, tail);
    else if (is(here, "EF")) return { ...tail, ending: here?.text ?? "", next: tail.next + 1 };
    else if (is(here, "ETN")) return endAsNoun(morphemes, tail);
    else if (is(here, "EP") || is(here, "XS") || is(here, "VCP") || is(here, "J")) {
      past ||= is(here, "EP", "었", "았", "였", "했");
      tail.next += 1;
    } else return tail;
  }
}

/** True for a morpheme of this part of speech (or one whose name starts so) that is one of these words. */
function is(morpheme: Morpheme | undefined, pos: string, ...texts: string[]): boolean {
  return (
    morpheme !== undefined && morpheme.pos.startsWith(pos) && (texts.length === 0 || texts.includes(morpheme.text))
  );
}

/** The first place from `at` on where none of these parts of speech stands. */
function skip(morphemes: readonly Morpheme[], at: number, ...parts: string[]): number {
  let next = at;
  while (parts.some((pos) => is(morphemes[next], pos))) next += 1;
  return next;
}

/** A step over what belongs to the predicate, with the negations in it. */
type Step = { negations: number; next: number } | undefined;

/** The negation that stands at a place, of any of the six kinds. */
function findNegation(morphemes: readonly Morpheme[], at: number): Step {
  return (
    findNegatedVerb(morphemes, at) ??
    findAbility(morphemes, at) ??
    findOccasion(morphemes, at) ??
    findAbsence(morphemes, at) ??
    findDenial(morphemes, at) ??
    findBareNegation(morphemes, at)
  );
}

/** -다고(는) 할 수 없-, -다고 하기 어렵-, -다고는 못 하-: what is not to be said. */
function findDenial(morphemes: readonly Morpheme[], at: number): Step {
  if (!is(morphemes[at], "EC", "다고", "라고", "ㄴ다고", "는다고")) return undefined;
  const next = skip(morphemes, at + 1, "J");
  const unable = is(morphemes[next], "MAG", "못");
  const verb = unable ? next + 1 : next;
  if (!is(morphemes[verb], "V", "하", "말하", "보")) return undefined;
  const tail = readTail(morphemes, verb + 1);
  const hard =
    is(morphemes[verb + 1], "ETN", "기") && is(morphemes[skip(morphemes, verb + 2, "J")], "V", "어렵", "힘들");
  return unable || hard || tail.negations % 2 === 1 ? { negations: 1, next: tail.next } : undefined;
}

/** -지 않-, -지 못하-, -지 말-, -지 못. */
function findNegatedVerb(morphemes: readonly Morpheme[], at: number): Step {
  if (!is(morphemes[at], "E", "지", "질", "진")) return undefined;
  const next = skip(morphemes, at + 1, "J");
  const negated = is(morphemes[next], "MAG", "못", "안") || is(morphemes[next], "V", "않", "못하", "말", "아니하");
  return negated ? { negations: 1, next: next + 1 } : undefined;
}

/** -ㄹ 수 없-, -ㄹ 줄 모르-. */
function findAbility(morphemes: readonly Morpheme[], at: number): Step {
  if (!is(morphemes[at], "ETM", "ㄹ", "을") || !is(morphemes[at + 1], "NNB", "수", "리", "줄")) return undefined;
  const next = skip(morphemes, at + 2, "J");
  return is(morphemes[next], "V", "없", "모르") ? { negations: 1, next: next + 1 } : undefined;
}

/** -ㄴ 적이 (한 번도) 없-, -ㄹ 필요 없-, -ㄹ 이유가 전혀 없-, -ㄹ 틈이 없-. */
function findOccasion(morphemes: readonly Morpheme[], at: number): Step {
  const noun = morphemes[at + 1];
  if (!is(morphemes[at], "ETM") || !(is(noun, "NNB", "적") || is(noun, "NNG", "필요", "이유", "일", "틈")))
    return undefined;
  const end = morphemes.findIndex(
    (one, index) => index > at + 1 && (is(one, "V", "없") || is(one, "EF") || is(one, "EC")),
  );
  return is(morphemes[end], "V", "없") ? { negations: 1, next: end + 1 } : undefined;
}

/** 이/가 (거의) 없-, 이/가 안 나-, 이/가 아니-, 이/가 사라지-, 을/를 고치-. */
function findAbsence(morphemes: readonly Morpheme[], at: number): Step {
  if (!is(morphemes[at], "J")) return undefined;
  let next = at + 1;
  while (is(morphemes[next], "MAG") && !is(morphemes[next], "MAG", "안", "못", "없이")) next += 1;
  const verb = morphemes[next];
  if (isRemedy(verb)) return asksFor(morphemes, next) ? undefined : { negations: 1, next: next + 1 };
  if (is(verb, "MAG", "안") || is(verb, "NNG", "안"))
    return is(morphemes[next + 1], "V") ? { negations: 1, next: next + 2 } : undefined;
  return is(verb, "V", "없") || is(verb, "MAG", "없이") || is(verb, "VCN")
    ? { negations: 1, next: next + 1 }
    : undefined;
}

const remedies = new Set(
  "고치 해결 해결되 없애 없어지 사라지 줄 줄이 줄어들 제거 제거되 방지 방지되 개선 개선되 잡히".split(" "),
);

/** True for what puts something bad right, or takes it away. */
export function isRemedy(morpheme: Morpheme | undefined): boolean {
  return morpheme !== undefined && /^(VV|NNG)$/.test(morpheme.pos) && remedies.has(morpheme.text);
}

/** "고쳐 주세요": what is asked for is not done. */
export function asksFor(morphemes: readonly Morpheme[], verb: number): boolean {
  const give = morphemes.findIndex((one, index) => index > verb && index < verb + 4 && is(one, "VX", "주"));
  return give > 0 && is(morphemes[give + 1], "EP", "시") && is(morphemes[give + 2], "EF");
}

/** A judgement made a noun: "끈적임이 없다" says that it is not so. */
function endAsNoun(morphemes: readonly Morpheme[], tail: Tail): Tail {
  const step = findAbsence(morphemes, tail.next + 1);
  return {
    ...tail,
    negations: tail.negations + (step?.negations ?? 0),
    ending: morphemes[tail.next]?.text ?? "",
    next: step?.next ?? tail.next + 1,
  };
}

function findBareNegation(morphemes: readonly Morpheme[], at: number): Step {
  const here = morphemes[at];
  return is(here, "VCN") || is(here, "VA", "없") || is(here, "MAG", "없이")
    ? { negations: 1, next: at + 1 }
    : undefined;
}

/** Helping verbs and "것 같다", "듯하다", "-고 있다", "-는 걸 보다": the predicate goes on. */
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

/** Describes the noun after it; "좋은 곳이 아니다" negates the description ("-ㄹ 뿐 아니라" does not), "좋았을" tells what was not. */
function endAsModifier(morphemes: readonly Morpheme[], tail: Tail, past: boolean): Tail {
  const unreal = past && is(morphemes[tail.next], "ETM", "을", "ㄹ");
  const ending = morphemes[tail.next]?.text ?? "";
  const next = tail.next + 1;
  const copula = skip(morphemes, skip(morphemes, next, "N", "XSN", "SL"), "J");
  const negations = tail.negations + (is(morphemes[copula], "VCN") && !is(morphemes[next], "NNB", "뿐") ? 1 : 0);
  return { negations, link: "modifies", ending, next, mood: unreal ? "wish" : "fact" };
}

/** Goes on to another clause; "-으면 좋겠다", "-으면 한다" wish for what they name, "-다고 하다" is what others say. */
function endAsJoint(morphemes: readonly Morpheme[], tail: Tail): Tail {
  const ending = morphemes[tail.next]?.text ?? "";
  const next = tail.next + 1;
  return { ...tail, link: "joins", ending, next, mood: readJointMood(morphemes, ending, next) };
}

function readJointMood(morphemes: readonly Morpheme[], ending: string, next: number): Tail["mood"] {
  const here = morphemes[next];
  if (/^(다고|ㄴ다고|는다고|라고)$/.test(ending)) return is(here, "V", "하", "듣", "들") ? "hearsay" : "fact";
  if (!/^(으면|면|다면|라면|ㄴ다면|는다면|거든)$/.test(ending)) return "fact";
  const hoped = morphemes.slice(next + 1, next + 3).some((one) => is(one, "EP", "겠"));
  const wished = is(here, "V", "하", "싶") || (is(here, "V", "좋") && hoped);
  return wished ? "wish" : "condition";
}
