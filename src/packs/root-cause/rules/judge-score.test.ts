import fc from "fast-check";
import { expect, it } from "vitest";
import type { Hypothesis } from "../schemas/hypothesis.ts";
import { type JudgeReply, type LabelScore, rubric } from "../schemas/judgement.ts";
import { evaluate, addSubscores, type Labelled } from "./judge-score.ts";

const labelled: Labelled[] = [
  { label: "H1", source: "hybrid", hypothesis: hypothesis("hybrid_10") },
  { label: "H2", source: "hybrid", hypothesis: hypothesis("hybrid_2") },
  { label: "H3", source: "log_focused", hypothesis: hypothesis("log_1") },
];

it("the judge score is the sum of the subscores, whatever else the judge says", () => {
  const parts = fc.record({
    evidence_quality: fc.integer({ min: 0, max: 30 }),
    reasoning_strength: fc.integer({ min: 0, max: 25 }),
    confidence_calibration: fc.integer({ min: 0, max: 20 }),
    completeness: fc.integer({ min: 0, max: 15 }),
    consistency: fc.integer({ min: 0, max: 10 }),
  });
  fc.assert(
    fc.property(parts, (subscores) => {
      const { evidence_quality, reasoning_strength, confidence_calibration, completeness, consistency } = subscores;
      const sum = evidence_quality + reasoning_strength + confidence_calibration + completeness + consistency;
      expect(addSubscores(subscores)).toBe(sum);
    }),
  );
  expect(addSubscores(rubric)).toBe(100);
});

it("equal scores rank by id, counting as people do", () => {
  const { evaluated } = evaluate(labelled, [reading({ H1: 20, H2: 20, H3: 10 })]);
  expect(evaluated.map(({ id }) => id)).toEqual(["hybrid_2", "hybrid_10", "log_1"]);
  expect(evaluated.map(({ rank }) => rank)).toEqual([1, 2, 3]);
});

it("feedback is joined by id, however the judge words it", () => {
  const { evaluated } = evaluate(labelled, [reading({ H1: 1, H2: 2, H3: 3 })]);
  expect(evaluated.find(({ id }) => id === "log_1")).toMatchObject({
    source: "log_focused",
    feedback: "feedback on H3",
  });
});

it("with a swapped second reading the mean counts and the disagreement is reported", () => {
  const result = evaluate(labelled, [reading({ H1: 20, H2: 10, H3: 5 }), reading({ H1: 10, H2: 16, H3: 5 })]);
  expect(result.evaluated.map(({ id, judge_score }) => [id, judge_score])).toEqual([
    ["hybrid_10", 15],
    ["hybrid_2", 13],
    ["log_1", 5],
  ]);
  expect(result.disagreement).toEqual({ mean_points: 5.33, largest_points: 10, top_changed: true });
});

it("groups of the judge come back as ids", () => {
  const grouped = { ...reading({ H1: 1, H2: 1, H3: 1 }), same_cause: [["H1", "H3"], ["H2"]] };
  expect(evaluate(labelled, [grouped]).same_cause).toEqual([["hybrid_10", "log_1"]]);
});

function reading(evidence: Record<string, number>): JudgeReply {
  const scores = Object.entries(evidence).map(([label, evidence_quality]): LabelScore => {
    const rest = { reasoning_strength: 0, confidence_calibration: 0, completeness: 0, consistency: 0 };
    return { label, evidence_quality, ...rest, strengths: [], weaknesses: [], feedback: `feedback on ${label}` };
  });
  return { scores, same_cause: [] };
}

function hypothesis(id: string): Hypothesis {
  const lists = { evidence: [], affected_components: [], causal_path: [], suggested_resolution: [] };
  return { id, hypothesis: `cause ${id}`, confidence: 0.5, reasoning: "r", category: "software", ...lists };
}
