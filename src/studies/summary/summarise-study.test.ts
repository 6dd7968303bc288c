import { describe, expect, it } from "vitest";
import { makeCard, makeStudyManifest } from "../../../test/support/scorecards.ts";
import { noUsage } from "../../contract/budget.ts";
import type { Scorecard } from "../results/results.ts";
import { summariseStudy } from "./summarise-study.ts";

function card(arm: string, i: number, right: boolean, more: Partial<Scorecard> = {}): Scorecard {
  const plain = makeCard(arm, i, right);
  return {
    ...plain,
    scores: { accuracy: Number(right) },
    tally: { tp: Number(right), all: 1 },
    cost: { ...plain.cost, usage: { ...noUsage, calls: 1, inputTokens: arm === "debate" ? 600 : 100 } },
    ...more,
  };
}

/** `rightOf(arm, case)` over 200 cases and three arms. */
function study(rightOf: (arm: string, i: number) => boolean, size = 200) {
  const arms = { single: "control", debate: "reference", vote: "control" } as const;
  const cards = Object.keys(arms).flatMap((arm) =>
    Array.from({ length: size }, (_, i) => card(arm, i, rightOf(arm, i))),
  );
  const rates = (totals: Record<string, number>) => ({ precision: totals.all ? (totals.tp ?? 0) / totals.all : null });
  return summariseStudy(makeStudyManifest(arms, size), cards, { rates });
}

describe("the verdict", () => {
  it("yes: better than every control beyond chance", () => {
    const { verdict } = study((arm, i) => (arm === "debate" ? i % 10 < 9 : i % 10 < 6));
    expect(verdict.answer).toBe("yes");
    expect(verdict.sentences[0]).toMatch(/\+30\.0 points .* at 6\.0 times its tokens/);
  });

  it("no: worse than one control, whatever the other", () => {
    const { verdict } = study((arm, i) => (arm === "vote" ? true : arm === "debate" ? i % 10 < 7 : i % 10 < 2));
    expect(verdict).toMatchObject({ answer: "no", headline: "No: on these cases debate is worse than vote." });
  });

  it("no: scores exactly as its controls do, and how much that leaves open", () => {
    const { verdict } = study((_, i) => i % 3 > 0);
    expect(verdict.answer).toBe("no");
    expect(verdict.sentences[0]).toContain("at most 1.5% of such cases");
  });

  it("not shown: better by less than the cases can tell", () => {
    const { verdict } = study(
      (arm, i) => i % 10 < 6 || (arm === "debate" && i % 10 === 9) || (arm !== "debate" && i % 16 === 8),
      80,
    );
    expect(verdict.answer).toBe("not_shown");
  });

  it("cannot say: without controls, or without gold", () => {
    const alone = summariseStudy(makeStudyManifest({ debate: "reference" }, 1), [card("debate", 0, true)]);
    expect(alone.verdict).toMatchObject({
      answer: "cannot_say",
      headline: expect.stringContaining("no control decided"),
    });
    const unknown = { primary: null, right: null, scores: null };
    const manifest = makeStudyManifest({ debate: "reference" }, 1);
    const without = { ...manifest, dataset: { ...manifest.dataset, with_gold: 0 } };
    const blind = summariseStudy(without, [card("debate", 0, true, unknown)]);
    expect(blind.verdict.headline).toContain("No case has gold");
  });
});

it("puts the reference first and its controls next, whatever the order of the plan", () => {
  expect(study(() => true).arms.map((one) => one.arm.name)).toEqual(["debate", "single", "vote"]);
});

it("compares only cases that both arms have", () => {
  const arms = { debate: "reference", single: "control" } as const;
  const cards = [
    card("debate", 1, true),
    card("debate", 2, true),
    card("debate", 3, false),
    card("single", 2, false),
    card("single", 3, true),
  ];
  const { comparisons, missing } = summariseStudy(makeStudyManifest(arms, 3), cards);
  expect(comparisons[0]).toMatchObject({ cases: 2, wins: 1, losses: 1 });
  expect(missing).toBe(1);
});

it("several seeds of a case count as one case, right when most are right", () => {
  const seeds = [0, 1, 2];
  const cards = [true, true, false].flatMap((right, seed) => [
    card("debate", 0, right, { seed }),
    card("debate", 1, true, { seed }),
  ]);
  const [debate] = summariseStudy(makeStudyManifest({ debate: "reference" }, 2, seeds), cards).arms;
  expect(debate).toMatchObject({ runs: 6, cases: 2 });
  expect(debate?.primary?.estimate).toBeCloseTo((2 / 3 + 1) / 2, 12);
  expect(debate?.right).toMatchObject({ estimate: 1, cases: 2 });
});

it("corpus metrics come from summed counts, with intervals", () => {
  const { arms } = study((arm, i) => (arm === "debate" ? i % 10 < 9 : i % 10 < 6));
  expect(arms[0]?.metrics.precision?.estimate).toBeCloseTo(0.9, 12);
  expect(arms[0]?.metrics.precision?.low).toBeGreaterThan(0.8);
});

it("a case without a decision counts as 0", () => {
  const cards = [
    card("debate", 0, true, { confidence: 0.9 }),
    card("debate", 1, false, { outcome: "undecided", confidence: 0.99 }),
  ];
  const [debate] = summariseStudy(makeStudyManifest({ debate: "reference" }, 2), cards).arms;
  expect(debate?.primary?.estimate).toBe(0.5);
});
