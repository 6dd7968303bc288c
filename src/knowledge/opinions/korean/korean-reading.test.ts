import { expect, it } from "vitest";
import { readerOf } from "../reader.ts";
import type { Polarity } from "../reading/reading.ts";

/** 직접 쓴 문장, 현상마다 하나: 측면, 극성, 글. */
const cases: [string, string, Polarity | null, string][] = [
  ["서술어", "음식", "positive", "음식이 정말 맛있어요."],
  ["관형어", "직원", "positive", "친절한 직원이 안내해 주었습니다."],
  ["관형절의 주어가 먼저", "가격", "positive", "가격이 저렴한 식당이에요."],
  ["나열된 주어", "분위기", "positive", "음식과 분위기는 최고였습니다."],
  ["목적어", "떡볶이", "positive", "저는 여기 떡볶이를 정말 좋아해요."],
  ["감정의 원인", "서비스", "negative", "서비스에 실망했어요."],
  ["조사 없이", "배송", "positive", "배송 빠르네요."],
  ["앞 절의 주어를 이어 받음", "화면", "negative", "화면이 작고 흐릿해요."],
  ["안 부정", "맛", "negative", "맛이 안 좋아요."],
  ["못 부정", "설명", "negative", "설명을 못 믿겠어요."],
  ["-지 않-", "직원", "negative", "직원이 친절하지 않았어요."],
  ["-지는 않-", "방", "negative", "방이 깨끗하지는 않았습니다."],
  ["-지 못하-", "결과", "negative", "결과가 만족스럽지 못했습니다."],
  ["없-", "맛", "negative", "국물 맛이 없어요."],
  ["흠이 없다는 칭찬", "제품", "positive", "제품에 문제가 없어요."],
  ["이중 부정", "맛", "positive", "맛이 없지 않았어요."],
  ["나쁘지 않-", "가격", "positive", "가격이 나쁘지 않아요."],
  ["-ㄹ 수 없-", "가게", "negative", "이 가게를 추천할 수 없습니다."],
  ["-ㄴ 적이 없-", "식당", "positive", "이 식당에 실망한 적이 없어요."],
  ["아니-", "장소", "negative", "그다지 좋은 장소가 아닙니다."],
  ["별로", "서비스", "negative", "서비스가 별로예요."],
  ["별로 … 않-", "음질", "negative", "음질이 별로 좋지 않아요."],
  ["-지만 앞", "음식", "positive", "음식은 맛있지만 가격이 비싸요."],
  ["-지만 뒤", "가격", "negative", "음식은 맛있지만 가격이 비싸요."],
  ["-는데 앞", "디자인", "positive", "디자인은 예쁜데 배터리가 금방 닳아요."],
  ["-ㄴ데 앞", "조작", "positive", "조작은 쉬운데 설명이 부실해요."],
  ["-ㄴ데 뒤", "설명", "negative", "조작은 쉬운데 설명이 부실해요."],
  ["하지만", "포장", "negative", "배송은 빨랐어요. 하지만 포장이 엉망이었어요."],
  ["-았으면 좋겠-", "양", "negative", "양이 많았으면 좋겠어요."],
  ["너무 짜-", "국", "negative", "국이 너무 짜요."],
  ["너무 달-", "소스", "negative", "소스가 너무 달아요."],
  ["양이 많-", "양", "positive", "양이 많아요."],
  ["소음이 크-", "소음", "negative", "소음이 커요."],
  ["ㅂ 불규칙", "화장실", "negative", "화장실이 더러웠어요."],
  ["르 불규칙", "배송", "positive", "배송이 빨랐습니다."],
  ["으 탈락", "색상", "positive", "색상이 예뻐요."],
  ["사전에 없는 활용", "직원", "negative", "직원들이 불친절했고 시끄러웠어요."],
  ["-고 싶-", "식당", "positive", "이 식당은 다시 가고 싶어요."],
  ["작동하지 않-", "버튼", "negative", "버튼이 작동하지 않아요."],
  ["뿐만 아니라는 부정이 아님", "빵", "positive", "빵이 맛있을 뿐만 아니라 저렴해요."],
  ["하나도 없-", "숙소", "positive", "불만이 하나도 없는 숙소였어요."],
  ["-ㄹ 데 없-", "음식", "positive", "음식은 흠잡을 데가 없어요."],
  ["문제를 해결하-", "상담원", "positive", "상담원이 문제를 바로 해결해 줬어요."],
  ["문제가 해결되지 않-", "앱", "negative", "앱은 로딩 문제가 해결되지 않았어요."],
  ["문제를 해결해 달라는 말", "앱", "negative", "앱 오류 문제를 해결해 주세요."],
  ["고쳐 달라는 말", "난방", "negative", "난방 좀 고쳐 주세요."],
  ["소음이 사라지-", "청소기", "positive", "청소기 소음이 사라졌어요."],
  ["이만한 … 없-", "식당", "positive", "이만한 식당이 없어요."],
  ["만 한 데가 없-", "국수", "positive", "국수는 이 집만 한 데가 없습니다."],
  ["다시는 … 안", "택배사", "negative", "다시는 이 택배사 안 씁니다."],
  ["보통", "커피", "neutral", "커피는 보통이에요."],
];

it.each(cases)("한국어, %s: %s → %s", (_phenomenon, aspect, polarity, text) => {
  const others = ["음식", "가격", "배터리", "배송"].filter((word) => word !== aspect && text.includes(word));
  const spans = [aspect, ...others].map((word) => ({
    start: text.indexOf(word),
    end: text.indexOf(word) + word.length,
  }));
  expect(spans[0]?.start).toBeGreaterThanOrEqual(0);
  expect(readerOf("ko").scoped(text, spans)[0]?.polarity).toBe(polarity);
});

it("불친절하다의 첫 음절은 측면이 아니다", () => {
  const text = "직원이 너무 불친절해서 다시는 안 가요.";
  const terms = readerOf("ko")
    .candidates(text)
    .map(({ span }) => text.slice(span.start, span.end));
  expect(terms).toEqual(["직원"]);
});
