import { expect, it } from "vitest";
import { readCategory } from "./category-reading.ts";

it.each([
  ["en", "food", "The soup was bland, but the food on the whole was delicious.", "positive"],
  ["en", "service", "Great pasta, rude waiters.", "negative"],
  ["ko", "음식", "음식은 맛있지만 직원이 불친절해요.", "positive"],
  ["ko", "서비스", "음식은 맛있지만 직원이 불친절해요.", "negative"],
  ["ko", "분위기", "매장이 깨끗하고 아늑합니다.", "positive"],
] as const)("%s, %s: “%s” is %s", (language, category, text, polarity) => {
  expect(readCategory(text, language, category)).toMatchObject({ polarity, via: "category" });
});

it.each([
  ["en", "delivery", "The pasta was wonderful.", "the text names nothing of the category"],
  ["en", "anecdotes", "The pasta was wonderful.", "nobody knows the category"],
  ["ko", "가격", "가격은 괜찮지만 가격이 나빠요.", "what is said cancels out"],
] as const)("%s, %s: “%s” says nothing of it, because %s", (language, category, text, _why) => {
  expect(readCategory(text, language, category)).toBeNull();
});
