import { describe, expect, it } from "vitest";
import { agreeingScript, playScript } from "../../../../../test/support/sentiment/play.ts";
import { judge, patch } from "../../../../../test/support/sentiment/turns.ts";
import { languageOf } from "../../../../knowledge/opinions/index.ts";
import { createAspectMatcher } from "../tuples/aspect-matcher.ts";
import { findContradictions } from "./contradictions.ts";

const matcher = createAspectMatcher(
  "The food was great but the service was slow",
  ["food", "service"],
  languageOf("en"),
);
const find = (final_patch: ReturnType<typeof patch>[], tuples: Parameters<typeof judge>[0]) =>
  findContradictions(judge(tuples, { final_patch }), matcher).map(({ aspect }) => aspect);

describe("a patch that does not lead to the tuples", () => {
  it.each([
    ["another polarity", [patch("set_polarity", "food", "negative")], { food: "positive" }],
    ["a confirmation of another polarity", [patch("confirm_tuple", "food", "negative")], { food: "positive" }],
    ["a tuple that is missing", [patch("set_polarity", "food", "negative")], {}],
    ["a drop of what the tuples keep", [patch("drop_tuple", "food")], { food: "positive" }],
    [
      "a rename of what the tuples still name",
      [patch("set_aspect_ref", "food", null, "service")],
      { food: "positive" },
    ],
  ] as const)("%s", (_, edits, tuples) => expect(find([...edits], tuples)).toEqual(["food"]));

  it.each([
    ["tuples that the patch leads to", [patch("set_polarity", "food", "positive")], { food: "positive" }],
    ["a tuple of which the patch says nothing", [], { food: "positive" }],
    ["a mention that the tuples leave out", [patch("set_polarity", "food", "neutral")], {}],
    ["a drop of a tuple of another polarity", [patch("drop_tuple", "food", "neutral")], { food: "positive" }],
    [
      "a polarity that moves with its aspect",
      [patch("set_polarity", "food", "positive"), patch("merge_tuples", "food", null, "service")],
      { service: "positive" },
    ],
  ] as const)("is not: %s", (_, edits, tuples) => expect(find([...edits], tuples)).toEqual([]));
});

describe("a judge that contradicts itself", () => {
  const torn = {
    final_patch: [{ op: "set_polarity", target: { aspect_ref: "service" }, value: "negative" }],
    final_tuples: [{ aspect_ref: "service", polarity: "positive" }],
    unresolved_conflicts: [],
    sentence_polarity: "mixed",
    sentence_evidence_spans: ["service was slow"],
  };
  const whole = { ...torn, final_tuples: [{ aspect_ref: "service", polarity: "negative" }] };

  it("is asked once more, and what it then says counts", async () => {
    const { decision, turns } = await playScript({}, agreeingScript({ judge: [torn, whole] }));
    expect(turns.find((turn) => turn.key.role === "judge")?.status).toBe("repaired");
    expect(decision.meta.input_problems.patch_contradicts_tuples).toBeUndefined();
    expect(decision.final_result.final_tuples.map((tuple) => tuple.polarity)).toEqual(["positive", "negative"]);
  });

  it("is counted when it stays so", async () => {
    const { decision } = await playScript({}, agreeingScript({ judge: [torn, torn] }));
    expect(decision.meta.input_problems.patch_contradicts_tuples).toBe(1);
    expect(decision.debate?.strikes.map((strike) => [strike.speaker, strike.code])).toEqual([
      ["judge", "patch_contradicts_tuples"],
    ]);
  });
});
