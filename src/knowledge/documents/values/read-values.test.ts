import fc from "fast-check";
import { expect, it } from "vitest";
import { countingWords, ordinalWords, shareWords } from "./number-words.ts";
import { monthNames } from "./read-dates.ts";
import { weekdayWords } from "./read-times.ts";
import { readValues } from "./read-values.ts";

const words = [
  ...countingWords,
  ...ordinalWords.keys(),
  ...shareWords.keys(),
  ...monthNames,
  ...weekdayWords,
  ..."jan feb sept agu okt des hari minggu jum'at pukul jam pagi malam noon midday midnight a an of and the".split(" "),
  ..."am pm a.m. p.m p m st nd rd th ke- version at least or more over under km kg % $ usd rp. million ratus".split(
    " ",
  ),
].filter((word) => /^[!-~ ]+$/.test(word));
const digits = fc.constantFrom(
  "3",
  "12",
  "07",
  "30",
  "2024",
  "1,234.50",
  "2.5",
  "-4",
  "2024-05-03",
  "3/5/2024",
  "7:30",
);
const glue = fc.constantFrom(" ", " ", " ", "", "-", ".", ", ", "\n", "_", "/", ":", "\u0000");
const word = fc
  .tuple(fc.constantFrom(...words), fc.constantFrom("lower", "upper", "title"), fc.constantFrom("", "", "s", "x"))
  .map(([text, letterCase, ending]) => {
    const cased = letterCase === "upper" ? text.toUpperCase() : text;
    return (letterCase === "title" ? cased.charAt(0).toUpperCase() + cased.slice(1) : cased) + ending;
  });
const ascii = fc
  .array(fc.tuple(fc.oneof(word, digits, fc.string({ unit: "binary-ascii", maxLength: 4 })), glue), { maxLength: 9 })
  .map((parts) => parts.flat().join(""));

it("a first look at the words of a text passes over no value: with a sign at its end that makes all forms be tried, the same is read", () => {
  const sign = "\n·";
  fc.assert(
    fc.property(ascii, (text) => {
      const whole = readValues(text + sign);
      expect(readValues(text).values).toEqual(whole.values);
      expect(readValues(text).rest + sign).toBe(whole.rest);
    }),
    { numRuns: 3_000 },
  );
});

it.each([
  ["on 3 May 2024 at 5 p.m.", ["date", "time"]],
  ["Sundays at noon, jum'at pukul 7", ["weekday", "time", "weekday", "time"]],
  ["the 3rd, ke-4 and second of two thirds", ["ordinal", "ordinal", "ordinal", "number"]],
  ["May 2024, 2024-05-03, 12:30", ["date", "date", "time"]],
  ["in March, $5 or half an hour", ["date", "number", "number"]],
  ["ſeven on Monday", ["number", "weekday"]],
])("%s", (text, kinds) => {
  expect(readValues(text).values.map(({ kind }) => kind)).toEqual(kinds);
});
