import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { decide, type RecordedCase } from "./decide.ts";

it("the documented example comes to the documented result", () => {
  const file = new URL("../../../examples/sentiment/recorded-case.json", import.meta.url);
  const { final_result, meta, settlements } = decide(JSON.parse(readFileSync(file, "utf8")) as RecordedCase);
  expect(final_result.final_tuples).toEqual([
    { aspect_ref: "배송", aspect_term: "배송", polarity: "positive" },
    { aspect_ref: "포장", aspect_term: "포장", polarity: "negative" },
  ]);
  expect(meta).toMatchObject({
    adopt_decision: "adopted",
    adopt_reason: "debate_action",
    input_problems: { unknown_op: 1 },
  });
  expect(meta.ev_score).toBeCloseTo(0.857142857);
  expect(settlements.map((one) => one.reason)).toEqual(["confirmed", "added_by_all_speakers"]);
});
