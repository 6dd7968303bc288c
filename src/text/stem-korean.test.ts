import { expect, it } from "vitest";
import { stemKorean } from "./search.ts";

it.each([
  ["도서관은", "도서관"],
  ["책을", "책"],
  ["연체료를", "연체료"],
  ["서울입니다", "서울"],
  ["쉽니다", "쉬"],
  ["쉬나요", "쉬"],
  ["가능합니다", "가능"],
  ["나이", "나이"],
  ["금요일에는", "금요일"],
  ["시까지만", "시"],
  ["운영합니까", "운영"],
])("%s is %s", (word, stem) => expect(stemKorean(word)).toBe(stem));
