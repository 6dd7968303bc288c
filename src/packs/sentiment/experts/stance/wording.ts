import type { LanguageCode } from "../../../../knowledge/opinions/index.ts";
import type { Point, Side } from "./side.ts";

type Wording = {
  side: Record<Side, string>;
  whole: string;
  plan(side: string, count: number): string;
  point(point: string, quotes: string, side: string): string;
  nothing(side: string): string;
  both(positive: string, negative: string): string;
  unjudged(aspects: string): string;
  first: string;
  conceded(aspects: string): string;
  held: string;
};

const english: Wording = {
  side: { positive: "positive", negative: "negative", neutral: "neutral" },
  whole: "the text as a whole",
  plan: (side, count) => `Find what the text itself says for a ${side} reading: ${count} aspect(s).`,
  point: (aspect, quotes, side) => `${aspect}: ${quotes} is ${side}.`,
  nothing: (side) => `No words of the text support a ${side} reading, so none is claimed.`,
  both: (positive, negative) => `Praised: ${positive}. Blamed: ${negative}.`,
  unjudged: (aspects) => `Named without a judgement of its own: ${aspects}.`,
  first: "Nobody has spoken against these points yet.",
  conceded: (aspects) => `Given up, because the words against weigh more: ${aspects}.`,
  held: "What the others quoted does not outweigh these points.",
};

const korean: Wording = {
  side: { positive: "긍정", negative: "부정", neutral: "중립" },
  whole: "글 전체",
  plan: (side, count) => `글이 스스로 말하는 ${side} 근거를 찾는다: 측면 ${count}개.`,
  point: (aspect, quotes, side) => `${aspect}: ${quotes} – ${side}.`,
  nothing: (side) => `${side} 해석을 뒷받침하는 표현이 글에 없어 주장하지 않는다.`,
  both: (positive, negative) => `칭찬: ${positive}. 비판: ${negative}.`,
  unjudged: (aspects) => `따로 평가 없이 언급만 된 것: ${aspects}.`,
  first: "아직 이 점들에 대한 반론이 없다.",
  conceded: (aspects) => `반대 근거가 더 강하여 거둔다: ${aspects}.`,
  held: "다른 패널의 인용은 이 점들보다 약하다.",
};

export function wordingOf(language: LanguageCode): Wording {
  return language === "ko" ? korean : english;
}

/** The name of a point's aspect. */
export function nameOf(point: Pick<Point, "aspect">, wording: Wording): string {
  return point.aspect === "" ? wording.whole : `"${point.aspect}"`;
}

export function quote(quotes: readonly string[]): string {
  return quotes.map((quote) => `“${quote}”`).join(", ");
}
