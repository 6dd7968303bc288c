import { expect, it } from "vitest";
import { type Field, findOutside, listMissing, sayProblem, tidyValue } from "./form.ts";

const schema: Field = {
  properties: {
    why: { type: "string" },
    winner: { anyOf: [{ type: "integer", minimum: 1 }, { type: "null" }] },
    answer: { type: ["string", "null"] },
    score: { anyOf: [{ type: "number", minimum: 0, maximum: 30 }, { type: "null" }] },
    confidence: { type: "number", minimum: 0, maximum: 1, title: "How sure are you?" },
    rows: { type: "array", items: { properties: { points: { type: "integer", minimum: 0, maximum: 10 } } } },
  },
  required: ["why", "winner", "answer", "score", "confidence"],
};

it("a field that may stay empty is not demanded and is sent as nothing; a choice has to be made", () => {
  expect(listMissing(schema, { why: "" })).toEqual(["Why", "Winner", "How sure are you?"]);
  expect(listMissing(schema, { why: "so", winner: null, confidence: 0 })).toEqual([]);
  expect(listMissing(schema, { why: " ", confidence: 0 }, false)).toEqual(["Why"]);
  expect(tidyValue(schema, { why: "so", winner: 1, score: undefined })).toEqual({
    why: "so",
    winner: 1,
    answer: null,
    score: null,
  });
});

it("a number outside its range is named by its label, at any depth", () => {
  expect(findOutside(schema, { confidence: 7 })).toBe("How sure are you?: give a number from 0 to 1.");
  expect(findOutside(schema, { rows: [{ points: 3 }, { points: 11 }] })).toBe("Points: give a number from 0 to 10.");
  expect(findOutside(schema, { why: "so", winner: 40, confidence: 1, score: null })).toBeNull();
});

it("a problem is said by the form's label, and a list of lists is written in lines", () => {
  expect(sayProblem("`confidence`: too much", schema)).toBe("How sure are you?: too much");
  expect(sayProblem("`rows.0.points`: too few", schema)).toBe("Rows: too few");
  expect(sayProblem("nothing is quoted", schema)).toBe("nothing is quoted");
  const groups = { type: "array", items: { type: "array", items: { type: "integer" } } };
  expect(tidyValue({ properties: { groups } }, { groups: ["1, 2", "", "3"] })).toEqual({ groups: [[1, 2], [3]] });
});
