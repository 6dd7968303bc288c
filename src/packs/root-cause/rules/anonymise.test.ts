import { expect, it } from "vitest";
import type { Hypothesis } from "../schemas/hypothesis.ts";
import { anonymise, labelAll } from "./anonymise.ts";
import type { Spoken } from "./round.ts";

const spoken: Spoken[] = [
  { source: "hybrid", hypotheses: [0, 1, 2, 3, 4].map((n) => hypothesis(`hybrid_${n}`)) },
  { source: "log_focused", hypotheses: [1, 2, 3].map((n) => hypothesis(`log_${n}`)) },
];

it("the judge sees the words and the evidence of a hypothesis and nothing that tells who wrote it", () => {
  for (const shown of anonymise(labelAll(spoken, 1, 1)))
    expect(Object.keys(shown).sort()).toEqual([
      "affected_components",
      "category",
      "causal_path",
      "confidence",
      "evidence",
      "hypothesis",
      "label",
      "reasoning",
      "struck",
      "suggested_resolution",
    ]);
});

it.each([
  { seed: 1, round: 1, order: "log_3 hybrid_0 log_2 hybrid_2 hybrid_4 hybrid_1 log_1 hybrid_3" },
  { seed: 1, round: 2, order: "log_2 log_3 hybrid_2 hybrid_1 hybrid_0 hybrid_3 log_1 hybrid_4" },
  { seed: 7, round: 3, order: "hybrid_3 log_3 log_1 hybrid_1 hybrid_4 hybrid_2 log_2 hybrid_0" },
  { seed: 123_456_789, round: 2, order: "log_1 hybrid_0 hybrid_2 hybrid_3 hybrid_4 log_2 log_3 hybrid_1" },
])("seed $seed and round $round always give the same order", ({ seed, round, order }) => {
  const labelled = labelAll(spoken, seed, round);
  expect(labelled.map((item) => item.hypothesis.id).join(" ")).toBe(order);
  expect(labelled.map(({ label }) => label)).toEqual(["H1", "H2", "H3", "H4", "H5", "H6", "H7", "H8"]);
});

it("other seeds and other rounds give other orders", () => {
  const seeds = [1, 2, 3, 4, 5, 6].flatMap((seed) => [1, 2].map((round) => ({ seed, round })));
  const orders = seeds.map(({ seed, round }) => labelAll(spoken, seed, round).map((item) => item.hypothesis.id));
  expect(new Set(orders.map((order) => order.join())).size).toBeGreaterThan(10);
});

function hypothesis(id: string): Hypothesis {
  const lists = { evidence: [], affected_components: [], causal_path: [], suggested_resolution: [], struck: [] };
  const history = { from: ["log_1"], changes_made: "evidence added" };
  return { id, hypothesis: "a cause", confidence: 0.5, reasoning: "r", category: "software", ...lists, ...history };
}
