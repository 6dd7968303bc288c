import { describe, expect, it } from "vitest";
import { addSubscores } from "../../rules/judge-score.ts";
import { findLeader, upholdLeader } from "./uphold-leader.ts";

type Given = Parameters<typeof upholdLeader>;
type Score = Given[0][number];
type Leader = NonNullable<Given[1]["leader"]>;

const hypothesis = (label: string, component: string) =>
  ({ label, category: "software", affected_components: [component] }) as unknown as Leader;

/** Scores whose sum is given; the leader's is 80. */
const score = (label: string, sum: number): Score => ({
  label,
  evidence_quality: 30,
  reasoning_strength: 25,
  confidence_calibration: 15,
  completeness: sum - 75,
  consistency: 5,
  strengths: [],
  weaknesses: [],
  feedback: "Keep it as it is.",
});

/** How the old cause (80 points) and a new one stand after a second round. */
function rank(sum: number, { settles = false, leads = true } = {}): { winner: string | undefined; scores: Score[] } {
  const support = (isSettled: boolean) => ({ match: isSettled ? { settles: true } : null }) as never;
  const judged = [
    { hypothesis: hypothesis("H3", "db"), support: support(false) },
    { hypothesis: hypothesis("H4", "web"), support: support(settles) },
  ];
  const leader = leads ? hypothesis("H1", "DB") : null;
  const scores = upholdLeader([score("H3", 80), score("H4", sum)], { judged, leader });
  return { winner: scores.toSorted((a, b) => addSubscores(b) - addSubscores(a))[0]?.label, scores };
}

describe("what led the last round", () => {
  it.each([
    ["stays ahead of a lead of four points", 84, {}, "H3"],
    ["gives way to a lead of five", 85, {}, "H4"],
    ["gives way to a confirmed incident that settles it", 81, { settles: true }, "H4"],
    ["is nobody's in the first round", 81, { leads: false }, "H4"],
  ])("%s", (_, sum, given, winner) => {
    expect(rank(sum, given).winner).toBe(winner);
  });

  it("says why another one was put behind, and changes nothing that stands behind already", () => {
    expect(rank(84).scores[1]?.weaknesses.join()).toContain("What led the last round");
    expect(rank(79).scores[1]).toEqual(score("H4", 79));
  });

  it("is the first of the last round that was judged", () => {
    const told = [{ round: 1, hypotheses: [hypothesis("H1", "db"), hypothesis("H2", "web")] }];
    const evaluated = [
      { label: "H1", rank: 2 },
      { label: "H2", rank: 1 },
    ];
    expect(findLeader(told.map((one) => ({ ...one, evaluated })) as never)?.label).toBe("H2");
    expect(findLeader([])).toBeNull();
  });
});
