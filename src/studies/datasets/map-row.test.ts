import { expect, it } from "vitest";
import { mapRow } from "./load-dataset.ts";

const row = {
  at: "reviews.csv:3",
  value: {
    no: "17",
    sentence: "Good tea.",
    stars: "5",
    sentiment: "1",
    meta: { lang: "en" },
    empty: "",
    parts: [{ t: "tea", p: "1" }],
  },
};

it("maps columns, nested columns, constants, values and lists", () => {
  const found = mapRow(row, {
    id: "no",
    input: {
      text: "sentence",
      language_code: "meta.lang",
      style: { constant: "patch" },
    },
    gold: {
      label: { column: "sentiment", values: { "1": "positive", "-1": "negative" } },
      tuples: { each: "parts", take: { aspect_term: "t", polarity: { column: "p", values: { "1": "positive" } } } },
    },
  });
  expect(found).toEqual({
    id: "17",
    input: { text: "Good tea.", language_code: "en", style: "patch" },
    gold: { label: "positive", tuples: [{ aspect_term: "tea", polarity: "positive" }] },
    at: "reviews.csv:3",
  });
});

it("maps gold that is one value, and rows that have the shape already", () => {
  expect(mapRow(row, { input: { text: "sentence" }, gold: "sentiment" }).gold).toBe("1");
  expect(mapRow({ at: "a:1", value: { id: 3, input: { text: "x" }, gold: "g" } }, undefined)).toMatchObject({
    id: "3",
    gold: "g",
  });
});

it.each([
  ["a column that is not there", { input: { text: "sentense" } }, 'no column "sentense"; did you mean "sentence"?'],
  ["an empty column", { input: { text: "empty" } }, '"empty" is empty'],
  [
    "a value without translation",
    { input: {}, gold: { column: "stars", values: { "4": "good" } } },
    '"5" is not in the mapping',
  ],
  ["a list that is none", { input: {}, gold: { each: "sentence", take: "x" } }, "is not a list"],
])("refuses %s, with its line", (_what, mapping, message) => {
  expect(() => mapRow(row, mapping)).toThrow(message);
  expect(() => mapRow(row, mapping)).toThrow("reviews.csv:3");
});

it("refuses a row without a mapping that has no input, or a key too many", () => {
  expect(() => mapRow(row, undefined)).toThrow(/name its columns under dataset\.map/);
  expect(() => mapRow({ at: "a:1", value: { input: {}, golld: 1 } }, undefined)).toThrow('did you mean "gold"?');
});

it("several columns are a list; an empty cell is no item of it, a missing column is an error", () => {
  const choices = { at: "quiz.csv:2", value: { q: "Which?", a: "Mars", b: "Jupiter", c: "" } };
  const map = (columns: string[]) => mapRow(choices, { input: { question: "q", choices: columns } }).input;
  expect(map(["a", "b", "c"])).toEqual({ question: "Which?", choices: ["Mars", "Jupiter"] });
  expect(() => map(["a", "b", "d"])).toThrow('quiz.csv:2: there is no column "d"');
});
