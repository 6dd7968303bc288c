import { expect, it } from "vitest";
import { isSameValue, readValues } from "./values.ts";

it.each([
  ["on 3 May 2024 at 5 p.m.", ["date", "time"]],
  ["Sundays at noon, jum'at pukul 7", ["weekday", "time", "weekday", "time"]],
  ["the 3rd, ke-4 and second of two thirds", ["ordinal", "ordinal", "ordinal", "number"]],
  ["May 2024, 2024-05-03, 12:30", ["date", "date", "time"]],
  ["in March, $5 or half an hour", ["date", "number", "number"]],
  ["the one in the evening", []],
])("%s", (text, kinds) => expect(readValues(text).values.map(({ kind }) => kind)).toEqual(kinds));

it.each([
  ["14 days", "two weeks", true],
  ["1.5 million", "1,500,000", true],
  ["negative 42", "-42", true],
  ["1e3", "1000", true],
  ["오후 3시", "15:00", true],
  ["half past seven in the evening", "19:30", true],
  ["ten in the evening", "22:00", true],
  ["half past one at night", "01:30", true],
  ["the end of February 2028", "29 February 2028", true],
  ["the last day of April 2026", "30/04/2026", true],
  ["March 2027", "the end of March 2027", false],
  ["two dozen", "24", true],
  ["eight degrees Celsius", "8 °C", true],
  ["7,500 grams at most", "no more than 7.5 kg", true],
  ["at least 3", "3 or more", true],
  ["$45", "€45", false],
  ["at least 12", "more than 12", false],
  ["before 5 May", "by 5 May", false],
  ["2 GB", "2 GiB", false],
])("%s is %s: %s", (a, b, same) => {
  const [one, other] = [a, b].map((text) => readValues(text).values[0]);
  expect(one && other && isSameValue(one, other)).toBe(same);
});

it("the words of a bound that holds its value are part of it", () =>
  expect(
    readValues("It takes at least 3 days, or 20 or more in winter, before 5 May").rest.split(/\s+/).join(" "),
  ).toBe("It takes , or in winter, before "));
