import fc from "fast-check";
import { expect, it } from "vitest";
import type { Hypothesis, ReasonerName } from "../schemas/hypothesis.ts";
import { type Category, categories } from "../../../knowledge/incidents/index.ts";
import { countVotes } from "./vote.ts";

it.each([
  [
    "the plurality wins",
    [
      ["hardware", 0.3],
      ["hardware", 0.4],
      ["network", 0.9],
    ],
    "hardware",
  ],
  [
    "a tie goes to the greater confidence",
    [
      ["hardware", 0.3],
      ["network", 0.9],
    ],
    "network",
  ],
  ["one speaker decides alone", [["none", 0.2]], "none"],
] as const)("%s", (_name, ballots, winner) => {
  const spoken = ballots.map(([category, confidence], index) => speaker(index, category, confidence));
  expect(countVotes(spoken)?.top.category).toBe(winner);
});

it("nobody elects nobody", () => expect(countVotes([])).toBeNull());

it("the winner has at least as many votes as any other category, and every speaker has one", () => {
  const ballot = fc.tuple(fc.constantFrom(...categories), fc.double({ min: 0, max: 1, noNaN: true }));
  fc.assert(
    fc.property(fc.array(ballot, { minLength: 1, maxLength: 6 }), (ballots) => {
      const vote = countVotes(ballots.map(([category, confidence], index) => speaker(index, category, confidence)));
      const votes = Object.values(vote?.votes ?? {});
      expect(vote?.votes[vote.top.category]).toBe(Math.max(...votes));
      expect(votes.reduce((sum, count) => sum + count, 0)).toBe(ballots.length);
    }),
  );
});

function speaker(
  index: number,
  category: Category,
  confidence: number,
): { source: ReasonerName; hypotheses: Hypothesis[] } {
  const lists = { evidence: [], affected_components: [], causal_path: [], suggested_resolution: [] };
  const top = { id: `log_${index}`, hypothesis: category, confidence, reasoning: "r", category, ...lists };
  return {
    source: "log_focused",
    hypotheses: [{ ...top, id: `log_${index}9`, confidence: confidence / 2, category: "none" }, top],
  };
}
