import type { Morpheme } from "../words/morpheme.ts";

const strong = new Set(
  "너무 매우 정말 정말로 진짜 아주 엄청 굉장히 완전 훨씬 가장 제일 무척 상당히 참 되게 몹시 대단히 너무너무 특히 최고로 확실히 항상 언제나 늘 전혀 절대 도저히 진심 역시 겁나 개".split(
    " ",
  ),
);
const weak = new Set("조금 좀 약간 살짝 다소 꽤 나름 그럭저럭 거의 가끔 그나마 비교적 대체로 대충 어느정도".split(" "));

/** What the adverbs before a stem do to its strength; `too` is 너무, 지나치게. */
export function readDegree(morphemes: readonly Morpheme[], at: number): { factor: number; too: boolean } {
  const degree = { factor: 1, too: false };
  for (let back = at - 1; back >= Math.max(0, at - 4); back -= 1) {
    const morpheme = morphemes[back] as Morpheme;
    if (morpheme.pos !== "MAG" && morpheme.pos !== "MM" && !(morpheme.pos === "NNG" && strong.has(morpheme.text)))
      break;
    if (/^(너무|너무너무|지나치게|과하게)$/.test(morpheme.text)) degree.too = true;
    if (strong.has(morpheme.text)) degree.factor = 1.3;
    else if (weak.has(morpheme.text)) degree.factor = 0.8;
  }
  return degree;
}
