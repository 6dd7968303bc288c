import { describe, expect, it } from "vitest";
import { noUsage } from "../../contract/usage.ts";
import type { Scorecard } from "../results/results.ts";
import type { PlannedArm, StudyManifest } from "../results/results.ts";
import { summariseStudy } from "./summarise-study.ts";

type Kind = PlannedArm["kind"];

function buildManifest(arms: Record<string, Kind>, cases: number, seeds = [0]): StudyManifest {
  return {
    version: 1,
    study: "s",
    batch: "study/s/1",
    about: null,
    pack: "p",
    code: { parley: "0", commit: null },
    study_hash: "",
    prompt_hashes: {},
    dataset: { path: "d", hash: "", cases, with_gold: cases, notes: [] },
    arms: Object.entries(arms).map(([name, kind]) => ({
      name,
      kind,
      about: null,
      settings: {},
      config_hash: name,
      cast: "expert",
      redecide: null,
    })),
    left_out: [],
    models: [],
    seeds,
    primary: "accuracy",
    metrics: null,
    budget: {},
    run_budget: {},
    notes: [],
    started_at: "",
  };
}

function card(arm: string, i: number, right: boolean, more: Partial<Scorecard> = {}): Scorecard {
  return {
    arm,
    case_id: `c${String(i).padStart(4, "0")}`,
    seed: 0,
    run_id: `${arm}-${i}`,
    outcome: "decided",
    failure: null,
    scores: { accuracy: Number(right) },
    primary: Number(right),
    right,
    confidence: null,
    graded: [],
    tally: { tp: Number(right), all: 1 },
    positions: [],
    strata: { half: i % 2 === 0 ? "even" : "odd" },
    cost: { usage: { ...noUsage, calls: 1, inputTokens: arm === "debate" ? 600 : 100 }, calls_saved: 0, wall_ms: 1 },
    samples: null,
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
  return summariseStudy(buildManifest(arms, size), cards, { rates });
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
    expect(verdict.sentences[0]).toContain("at most 1.5 % of such cases");
  });

  it("not shown: better by less than the cases can tell, and what they could have told", () => {
    const { verdict } = study(
      (arm, i) => i % 10 < 6 || (arm === "debate" && i % 10 === 9) || (arm !== "debate" && i % 16 === 8),
      80,
    );
    expect(verdict.answer).toBe("not_shown");
    expect(verdict.sentences[0]).toMatch(
      /These 80 cases would have shown a difference of about \d+\.\d points or more/,
    );
  });

  it("cannot say: without controls, or without gold", () => {
    const alone = summariseStudy(buildManifest({ debate: "reference" }, 1), [card("debate", 0, true)]);
    expect(alone.verdict).toMatchObject({
      answer: "cannot_say",
      headline: expect.stringContaining("no control ended"),
    });
    const unknown = { primary: null, right: null, scores: null };
    const manifest = buildManifest({ debate: "reference" }, 1);
    const without = { ...manifest, dataset: { ...manifest.dataset, with_gold: 0 } };
    const blind = summariseStudy(without, [card("debate", 0, true, unknown)]);
    expect(blind.verdict.headline).toContain("No case has gold");
  });
});

it("names other metrics that differ, as a hint", () => {
  const arms = { debate: "reference", single: "control" } as const;
  const cards = Array.from({ length: 60 }, (_, i) => [
    card("debate", i, true, { scores: { accuracy: 1, citations: i % 10 === 0 ? 0 : 1 } }),
    card("single", i, true, { scores: { accuracy: 1, citations: i % 2 } }),
  ]).flat();
  const { verdict } = summariseStudy(buildManifest(arms, 60), cards);
  expect(verdict.answer).toBe("no");
  expect(verdict.sentences[0]).toContain("these differ too: citations +40.0");
});

it("puts the reference first and its controls next, whatever the order of the plan", () => {
  expect(study(() => true).arms.map((one) => one.arm.name)).toEqual(["debate", "single", "vote"]);
});

it("compares only cases that both arms have, and names the ones that only one has right", () => {
  const arms = { debate: "reference", single: "control" } as const;
  const cards = [
    card("debate", 1, true),
    card("debate", 2, true),
    card("debate", 3, false),
    card("single", 2, false),
    card("single", 3, true),
  ];
  const { comparisons, missing } = summariseStudy(buildManifest(arms, 3), cards);
  expect(comparisons[0]).toMatchObject({ cases: 2, onlyReference: ["c0002"], onlyOther: ["c0003"] });
  expect(missing).toBe(1);
});

it("several seeds of a case count as one case, right when most are right", () => {
  const seeds = [0, 1, 2];
  const cards = [true, true, false].flatMap((right, seed) => [
    card("debate", 0, right, { seed }),
    card("debate", 1, true, { seed }),
  ]);
  const [debate] = summariseStudy(buildManifest({ debate: "reference" }, 2, seeds), cards).arms;
  expect(debate).toMatchObject({ runs: 6, cases: 2, steady: 0.5 });
  expect(debate?.primary?.estimate).toBeCloseTo((2 / 3 + 1) / 2, 12);
  expect(debate?.right).toMatchObject({ estimate: 1, cases: 2 });
});

it("corpus metrics come from summed counts, with intervals and paired differences", () => {
  const { arms, comparisons } = study((arm, i) => (arm === "debate" ? i % 10 < 9 : i % 10 < 6));
  expect(arms[0]?.rates.precision?.estimate).toBeCloseTo(0.9, 12);
  expect(comparisons[0]?.rates.precision?.estimate).toBeCloseTo(0.3, 12);
  expect(comparisons[0]?.rates.precision?.low).toBeGreaterThan(0.2);
});

it("groups of cases have their own scores and differences", () => {
  const [table] = study((arm, i) => (arm === "debate" ? i % 2 === 0 : true)).strata;
  const even = table?.rows.find((row) => row.value === "even");
  const odd = table?.rows.find((row) => row.value === "odd");
  expect(even?.arms.find((one) => one.arm === "single")?.difference?.estimate).toBe(0);
  expect(odd?.arms.find((one) => one.arm === "single")?.difference?.estimate).toBe(-1);
});

it("a case without a decision counts as 0 and is never covered", () => {
  const cards = [
    card("debate", 0, true, { confidence: 0.9 }),
    card("debate", 1, false, { outcome: "undecided", confidence: 0.99 }),
  ];
  const [debate] = summariseStudy(buildManifest({ debate: "reference" }, 2), cards).arms;
  expect(debate?.riskCoverage).toMatchObject({ coverage: 0.5, points: [{ coverage: 0.5, risk: 0, threshold: 0.9 }] });
  expect(debate?.primary?.estimate).toBe(0.5);
});

it("where openings differ, what was decided afterwards is compared with their vote", () => {
  const opening = (answers: string[]) =>
    answers.map((answer, i) => ({ round: 1, role: `s${i}`, item: null, answer, correct: answer === "yes" }));
  const cards = Array.from({ length: 40 }, (_, i) =>
    card("debate", i, i % 8 === 0, { positions: opening(i % 2 ? ["yes", "yes", "no"] : ["no", "no", "no"]) }),
  );
  const [debate] = summariseStudy(buildManifest({ debate: "reference" }, 40), cards).arms;
  expect(debate?.afterSplit).toMatchObject({ wins: 0, losses: 20 });
});
