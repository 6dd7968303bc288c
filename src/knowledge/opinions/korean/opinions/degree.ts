import type { Morpheme } from "../words/morpheme.ts";

const strong = new Set(
  "너무 매우 정말 정말로 진짜 아주 엄청 굉장히 완전 훨씬 가장 제일 무척 상당히 참 되게 몹시 대단히 너무너무 특히 최고로 확실히 항상 언제나 늘 전혀 절대 도저히 진심 역시 겁나 개".split(
    " ",
  ),
);
const weak = new Set("조금 좀 약간 살짝 다소 꽤 나름 그럭저럭 거의 가끔 그나마 비교적 대체로 대충 어느정도".split(" "));

/** What the adverbs before a stem multiply its strength by. */
export function readDegree(morphemes: readonly Morpheme[], at: number): number {
  let factor = 1;
  for (let back = at - 1; back >= Math.max(0, at - 4); back -= 1) {
    const { pos, text } = morphemes[back] as Morpheme;
    if (strong.has(text)) factor = 1.3;
    else if (weak.has(text)) factor = 0.8;
    else if (pos !== "MAG") break;
  }
  return factor;
}
