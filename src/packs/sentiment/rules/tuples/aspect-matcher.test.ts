import { expect, it } from "vitest";
import { detectLanguage, readLanguageCode, languageOf, toNormalForm } from "../../../../knowledge/opinions/index.ts";
import { createAspectMatcher } from "./aspect-matcher.ts";

const text = "배송은 빨랐지만 오이가 시들었고 퀄리티도 별로예요";
const matcher = createAspectMatcher(text, ["배송", "오이", "가격"], languageOf("ko"));

it.each([
  ["배송", "배송", "stage1"],
  ["배송은", "배송", "stage1"],
  [" 배 송 ", "배송", "stage1"],
  ["오이가", "오이", "stage1"],
  ["오이", "오이", "stage1"],
  ["퀄리티", "퀄리티", "text"],
  ["비용", "가격", "synonym"],
  ["와이파이", null, "unknown"],
  ["", null, "unknown"],
])("%j stands for %j (%s)", (word, aspect, how) => expect(matcher.resolve(word)).toEqual({ aspect, how }));

it("a speech names aspects by normal form, else by a synonym", () => {
  expect(matcher.named("저는 배송이 좋았다고 봅니다")).toEqual(["배송"]);
  expect(matcher.named("금액이 문제입니다")).toEqual(["가격"]);
  expect(matcher.named("할 말이 없습니다")).toEqual([]);
});

it("English terms are whole words in any letter case", () => {
  const matcher = createAspectMatcher("The bar is nice", ["bar"], languageOf("en"));
  expect(matcher.named("The Bar was loud")).toEqual(["bar"]);
  expect(matcher.named("a barrel of laughs")).toEqual([]);
});

it("the implicit aspect is known only when Stage 1 has it", () => {
  expect(createAspectMatcher(text, [""], languageOf("ko")).resolve("")).toEqual({ aspect: "", how: "stage1" });
});

it("normal form strips a particle, case, space and punctuation", () => {
  expect(toNormalForm("‘포장’은", languageOf("ko"))).toBe("포장");
  expect(toNormalForm("Battery-Life!", languageOf("en"))).toBe("batterylife");
});

it.each([
  ["배송이 빨라요", "ko"],
  ["LG 그램 노트북 good", "ko"],
  ["The food was great", "en"],
  ["12345 !!!", "en"],
])("the language of %j is %s by its script", (sample, code) => expect(detectLanguage(sample)).toBe(code));

it("a language code may carry a region; others are unknown", () => {
  expect([
    readLanguageCode("ko-KR"),
    readLanguageCode("EN_us"),
    readLanguageCode("fr"),
    readLanguageCode(null),
  ]).toEqual(["ko", "en", null, null]);
});
