import fc from "fast-check";
import { expect, it } from "vitest";
import type { Hypothesis } from "../schemas/hypothesis.ts";
import type { Round } from "../schemas/round.ts";
import { pickFinal } from "./final.ts";
import { countRoundsRefined } from "./lineage.ts";

it("the final hypothesis is the best over all rounds, the earliest on a tie", () => {
  expect(pickFinal([round(1, 80), round(2, 92), round(3, 92)])).toMatchObject({
    judge_score: 92,
    reasoning: "round 2",
  });
  expect(pickFinal([round(1, 95), round(2, 60)])).toMatchObject({ judge_score: 95, reasoning: "round 1" });
});

it("rounds_refined counts the rounds in which it or an ancestor stood", () => {
  const merged = round(3, 92, hypothesis("hybrid_9", 3, ["hybrid_1", "log_1"]));
  expect(pickFinal([round(1, 85), round(2, 90), merged])).toMatchObject({ rounds_refined: 3 });
  expect(pickFinal([round(1, 85), round(2, 99, hypothesis("hybrid_7", 2))])).toMatchObject({ rounds_refined: 1 });
  expect(pickFinal([round(1, 85), round(2, 90)])).toMatchObject({ rounds_refined: 2 });
});

it("a round without any hypothesis leaves the others as they are", () => {
  const empty: Round = {
    round_number: 2,
    hypotheses: { log_focused: null, kg_focused: null, hybrid: null },
    judge_evaluation: null,
    top_hypothesis: null,
  };
  expect(pickFinal([round(1, 70), empty])).toMatchObject({ judge_score: 70 });
  expect(pickFinal([empty])).toBeNull();
});

it("no round's top ever scores above the final", () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 100 }), { minLength: 1, maxLength: 5 }), (scores) => {
      const rounds = scores.map((score, index) => round(index + 1, score));
      expect(pickFinal(rounds)?.judge_score).toBe(Math.max(...scores));
    }),
  );
});

function round(round_number: number, judge_score: number, top = hypothesis("hybrid_1", round_number)): Round {
  const hypotheses = { log_focused: null, kg_focused: null, hybrid: [top] };
  return {
    round_number,
    hypotheses,
    judge_evaluation: null,
    top_hypothesis: { ...top, source: "hybrid", judge_score },
  };
}

function hypothesis(id: string, round: number, from?: string[]): Hypothesis {
  const lists = { evidence: [], affected_components: [], causal_path: [], suggested_resolution: [] };
  return {
    id,
    hypothesis: "cause",
    confidence: 0.5,
    reasoning: `round ${round}`,
    category: "software",
    ...lists,
    ...(from && { from }),
  };
}

it("a hypothesis never counts more rounds than there were, nor fewer than one", () => {
  const ids = fc.constantFrom("log_1", "log_2", "hybrid_1", "hybrid_2");
  const one = fc.record({ id: ids, from: fc.option(fc.array(ids, { maxLength: 2 }), { nil: undefined }) });
  fc.assert(
    fc.property(fc.array(fc.array(one, { minLength: 1, maxLength: 4 }), { minLength: 1, maxLength: 5 }), (rounds) => {
      const standing = rounds.map((list) => list.map(({ id, from }) => hypothesis(id, 1, from)));
      const last = standing.length - 1;
      for (const { id } of standing[last] ?? []) {
        const count = countRoundsRefined(standing, last, id);
        expect(count).toBeGreaterThanOrEqual(1);
        expect(count).toBeLessThanOrEqual(standing.length);
      }
    }),
  );
});
