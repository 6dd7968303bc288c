import { expect, it } from "vitest";
import { parseStudy } from "./study-file.ts";

const small = `
study: abl
pack: sentiment
dataset: { path: reviews.jsonl }
arms:
  - name: full
  - name: t1
    redecide: full
    config: { debate_override: { min_total: 1.0 } }
`;

it("fills in what a small study leaves out", () => {
  expect(parseStudy(small, "abl.yaml")).toMatchObject({ cast: "expert", seeds: [0], concurrency: 4, config: {} });
});

it.each([
  [
    "a misspelt key, with its line",
    small.replace("redecide", "redecid"),
    'abl.yaml:8: arms[1].redecid: unknown key "redecid"; did you mean "redecide"?',
  ],
  ["a key of the study", `${small}\nseed: [1]`, 'did you mean "seeds"?'],
  ["a control that does not exist", `${small}\ncontrols: [singel]`, 'did you mean "single"?'],
  ["two arms of one name", small.replace("name: t1", "name: full"), 'arms[1].name: there is already an arm "full"'],
  ["an arm named as a control", small.replace("name: t1", "name: vote"), '"vote" is a control arm'],
  [
    "turns of an arm that does not exist",
    small.replace("redecide: full", "redecide: ful"),
    'no arm is named "ful" (arms: full, t1)',
  ],
  ["turns of itself", small.replace("redecide: full", "redecide: t1"), '"t1" has no turns of its own'],
  [
    "another cast on the turns of an arm",
    small.replace("redecide: full", "redecide: full\n    cast: person"),
    "has its cast, not another",
  ],
  ["a seed twice", `${small}\nseeds: [1, 1]`, "a seed is listed twice"],
  ["no arm", small.replace(/arms:[^]*/, "arms: []"), "at least one arm"],
  ["broken YAML", "study: [", "not valid YAML"],
  ["nothing", "", "expected an object"],
])("refuses %s", (_what, text, message) => {
  expect(() => parseStudy(text, "abl.yaml")).toThrow(message);
});

it("lists every problem at once", () => {
  const text = small.replace("pack:", "pakc:").replace("redecide", "redecid");
  expect(() => parseStudy(text, "abl.yaml")).toThrow(/pakc[^]*redecid|redecid[^]*pakc/);
});
