import type { Morpheme } from "../words/morpheme.ts";

/** What follows a predicate or a noun of judgement: negations, its mood, and what it goes on to. */
export type Tail = {
  negations: number;
  /** "modifies": describes the noun after it; "joins": goes on to another clause; "ends": closes the sentence. */
  link: "modifies" | "joins" | "ends";
  ending: string;
  /** The first morpheme after the predicate. */
  next: number;
  mood: "fact" | "wish" | "condition";
};

const is = (morpheme: Morpheme | undefined, pos: string, ...texts: string[]) =>
  morpheme !== undefined && morpheme.pos.startsWith(pos) && (texts.length === 0 || texts.includes(morpheme.text));

/** Reads on from `at`, the first morpheme after a stem. */
export function tailOf(morphemes: readonly Morpheme[], at: number): Tail {
  const tail: Tail = { negations: 0, link: "ends", ending: "", next: at, mood: "fact" };
  let past = false;
  for (;;) {
    const here = morphemes[tail.next];
    const step = negationStep(morphemes, tail.next) ?? helperStep(morphemes, tail.next);
    if (step) {
      tail.negations += step.negations;
      tail.next = step.next;
    } else if (is(here, "ETM")) return { ...tail, ...modifier(morphemes, tail, past), ending: here?.text ?? "" };
    else if (is(here, "EC")) return joined(morphemes, tail, here as Morpheme);
    else if (is(here, "EF") || is(here, "ETN")) return { ...tail, ending: here?.text ?? "", next: tail.next + 1 };
    else if (is(here, "EP") || is(here, "XS") || is(here, "VCP") || is(here, "J")) {
      past ||= is(here, "EP", "었", "았", "였", "했");
      tail.next += 1;
    } else return tail;
  }
}

type Step = { negations: number; next: number } | undefined;

/** -지 않-, -지 못하-, -지 말-, -ㄹ 수 없-, 이/가 없-, 이/가 아니-. */
function negationStep(morphemes: readonly Morpheme[], at: number): Step {
  const here = morphemes[at];
  let next = at + 1;
  if (is(here, "E", "지", "질", "진") || (is(here, "ETN", "기") && is(morphemes[at + 2], "V", "않"))) {
    while (is(morphemes[next], "J")) next += 1;
    if (is(morphemes[next], "MAG", "못", "안"))
      return {
        negations: 1,
        next: is(morphemes[next + 1], "XSV", "하") || is(morphemes[next + 1], "V", "하") ? next + 2 : next + 1,
      };
    if (is(morphemes[next], "V", "않", "못하", "말", "아니하")) {
      const excused = is(morphemes[next + 1], "EC", "아도", "어도") && is(morphemes[next + 2], "V", "되", "좋", "괜찮");
      return { negations: excused ? 2 : 1, next: next + 1 };
    }
  }
  if (is(here, "ETM", "ㄹ", "을") && is(morphemes[next], "NNB", "수", "리", "줄")) {
    next += 1;
    while (is(morphemes[next], "J")) next += 1;
    if (is(morphemes[next], "V", "없", "모르")) return { negations: 1, next: next + 1 };
    if (is(morphemes[next], "V", "있", "알")) return { negations: 0, next: next + 1 };
  }
  if (is(here, "ETM") && (is(morphemes[next], "NNB", "적") || is(morphemes[next], "NNG", "필요", "이유", "일"))) {
    next += 1;
    while (is(morphemes[next], "J") || is(morphemes[next], "MAG")) next += 1;
    if (is(morphemes[next], "V", "없")) return { negations: 1, next: next + 1 };
  }
  if (is(here, "J") && !is(here, "JKO") && !is(here, "JKG") && !is(here, "JKB")) {
    if (is(morphemes[next], "V", "없") || is(morphemes[next], "MAG", "없이")) return { negations: 1, next: next + 1 };
    if (is(morphemes[next], "VCN")) return { negations: 1, next: next + 1 };
    if (is(morphemes[next], "V", "있")) return { negations: 0, next: next + 1 };
  }
  if (is(here, "VCN") || is(here, "VA", "없") || is(here, "MAG", "없이")) return { negations: 1, next };
  return undefined;
}

/** Helping verbs and "것 같다", "편이다", "듯하다", "-고 있다": the predicate goes on. */
function helperStep(morphemes: readonly Morpheme[], at: number): Step {
  const here = morphemes[at];
  const after = morphemes[at + 1];
  if (is(here, "EC") && is(after, "VX")) return { negations: 0, next: at + 2 };
  if (is(here, "EC", "고") && is(after, "V", "있", "싶")) return { negations: 0, next: at + 2 };
  if (is(here, "ETN") && is(after, "J") && is(morphemes[at + 2], "V", "하")) return { negations: 0, next: at + 3 };
  if (!is(here, "ETM")) return undefined;
  if (!is(after, "NNB", "것", "거", "게", "편", "듯", "정도", "만큼", "축", "줄", "모양")) return undefined;
  let next = at + 2;
  while (is(morphemes[next], "J") || is(morphemes[next], "XSA") || is(morphemes[next], "XSV")) next += 1;
  if (is(morphemes[next], "VCN")) return { negations: 1, next: next + 1 };
  if (is(morphemes[next], "VCP") || is(morphemes[next], "V", "같", "하", "없"))
    return { negations: is(morphemes[next], "V", "없") ? 1 : 0, next: next + 1 };
  return undefined;
}

/** Describes the noun after it; "좋은 곳이 아니다" negates the description, "좋았을" tells what was not. */
function modifier(morphemes: readonly Morpheme[], tail: Tail, past: boolean): Partial<Tail> {
  let next = tail.next + 1;
  while (is(morphemes[next], "N") || is(morphemes[next], "XSN") || is(morphemes[next], "SL")) next += 1;
  const named = next > tail.next + 1;
  const particle = is(morphemes[next], "J") ? next + 1 : next;
  const only = morphemes.slice(tail.next + 1, next).some((one) => is(one, "NNB", "뿐"));
  const negations = named && !only && is(morphemes[particle], "VCN") ? 1 : 0;
  const unreal = past && is(morphemes[tail.next], "ETM", "을", "ㄹ");
  return {
    negations: tail.negations + negations,
    link: "modifies",
    next: tail.next + 1,
    mood: unreal ? "wish" : "fact",
  };
}

function joined(morphemes: readonly Morpheme[], tail: Tail, ending: Morpheme): Tail {
  const condition = /^(으면|면|다면|라면|ㄴ다면|는다면|거든)$/.test(ending.text);
  const wished =
    condition &&
    is(morphemes[tail.next + 1], "V", "좋") &&
    morphemes.slice(tail.next + 2, tail.next + 4).some((one) => is(one, "EP", "겠") || is(one, "ETM", "을"));
  return {
    ...tail,
    link: "joins",
    ending: ending.text,
    next: tail.next + 1,
    mood: wished ? "wish" : condition ? "condition" : "fact",
  };
}
