import { expect, it } from "vitest";
import { emptyParts, type Field, findOutside, fitForm, listMissing, sayProblem, tidyValue } from "./form.ts";

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
  expect(sayProblem("`rows.0.points`: too few", schema)).toBe("Rows 1, Points: too few");
  expect(sayProblem("`rows.2`: unknown", schema)).toBe("Rows 3: unknown");
  expect(sayProblem("`nothing.0`: unknown", schema)).toBe("`nothing.0`: unknown");
  expect(sayProblem("nothing is quoted", schema)).toBe("nothing is quoted");
  const groups = { type: "array", items: { type: "array", items: { type: "integer" } } };
  expect(tidyValue({ properties: { groups } }, { groups: ["1, 2", "", "3"] })).toEqual({ groups: [[1, 2], [3]] });
});

it("what the role is shown by label has a row of its own, and what is missing in a row is named", () => {
  const items = {
    properties: { label: { type: "string" }, points: { type: "number" } },
    required: ["label", "points"],
  };
  const scores: Field = { properties: { scores: { type: "array", items } }, required: ["scores"] };
  const shown = [{ label: "H1", hypothesis: "The disk is full", why: "It says so in a longer line" }, { label: "H2" }];
  const prompt = ['[ERRORS]\n```json\n[{"line":1}]\n```', `[GUESSES]\n\`\`\`json\n${JSON.stringify(shown)}\n\`\`\``];
  const fitted = fitForm(scores, prompt);
  expect(emptyParts(fitted)).toEqual({ scores: [{ label: "H1" }, { label: "H2" }] });
  expect(fitted.properties?.scores?.items?.properties?.label).toMatchObject({
    enum: ["H1", "H2"],
    labels: { H1: "H1: The disk is full — It says so in a longer line" },
  });
  expect(listMissing(fitted, { scores: [{ label: "H1", points: 3 }, { label: "H2" }] })).toEqual(["Scores H2, Points"]);
  expect(fitForm(scores, [])).toEqual(scores);
});

it("names that a role offers are chosen instead of typed, in lists and in rows", () => {
  const text = { type: "string" };
  const used: Field = { type: "array", items: text };
  const denied: Field = {
    type: "array",
    items: { properties: { claim: text, why: text }, required: ["claim", "why"] },
  };
  const given: Field = { properties: { used, denied, note: text }, required: ["used", "denied", "note"] };
  const claims = { C1: "C1 It rains" };
  const fitted = fitForm(given, [], { known: { note: "" }, labels: {}, choices: { used: claims, claim: claims } });
  expect(fitted.properties?.used?.items).toEqual({ ...text, enum: ["C1"], labels: claims });
  expect(fitted.properties?.denied?.items?.properties?.claim).toMatchObject({ enum: ["C1"], labels: claims });
  expect(listMissing(fitted, { used: [], denied: [{ why: "so" }] })).toEqual(["Denied 1, Claim"]);
  expect(fitForm(given, [], { labels: {}, choices: { used: {} } })).toEqual(given);
});
