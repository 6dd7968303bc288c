import { expect, it } from "vitest";
import { question } from "../packs/question/index.ts";
import type { ResultRow, Scorecard } from "./results/results.ts";
import type { StudyManifest } from "./results/results.ts";
import { compareTwoArms } from "./compare.ts";

const cost = {
  usage: { inputTokens: 0, outputTokens: 0, cachedTokens: 0, costUsd: 0 },
  spend: { calls: 2, tokens: 10, usd: 0 },
  calls_saved: 0,
  wall_ms: 1,
};

function card(arm: string, caseId: string, right: boolean | null): Scorecard {
  const primary = right === null ? null : Number(right);
  const run_id = `${arm}-${caseId}`;
  return {
    arm,
    case_id: caseId,
    seed: 0,
    run_id,
    outcome: "decided",
    failure: null,
    scores: { correct: primary },
    primary,
    right,
    confidence: null,
    graded: [],
    tally: {},
    positions: [],
    strata: {},
    cost: cost as never,
    samples: null,
  };
}

function row(arm: string, caseId: string, answer: string): ResultRow {
  const decision = { answer, method: "vote", confidence: 1 };
  const rest = { reasons: [], quorum: null, cost: cost as never, samples: null, error: null };
  return {
    arm,
    case_id: caseId,
    seed: 0,
    run_id: `${arm}-${caseId}`,
    outcome: "decided",
    decision,
    ...rest,
  };
}

const arm = (name: string, settings: Record<string, unknown>) => ({
  name,
  kind: "arm" as const,
  about: null,
  settings,
  config_hash: "",
  cast: "expert",
  redecide: null,
});
const manifest = { arms: [arm("one", { max_rounds: 1 }), arm("two", { max_rounds: 3 })] } as unknown as StudyManifest;

it("two arms show only what differs: settings, numbers, and cases in their order, with both runs", () => {
  const scorecards = [
    card("one", "c1", true),
    card("one", "c2", false),
    card("one", "c3", true),
    card("one", "c4", null),
    card("two", "c1", true),
    card("two", "c2", true),
    card("two", "c3", false),
    card("two", "c5", true),
  ];
  const compared = compareTwoArms({ manifest, scorecards, results: [] }, ["one", "two"], question);
  expect(compared.settings).toEqual([{ path: "settings.max_rounds", before: 1, after: 3 }]);
  expect(compared.paired).toBe(3);
  expect(compared.cases.map((one) => [one.case, one.a.run, one.b.run])).toEqual([
    ["c2", "one-c2", "two-c2"],
    ["c3", "one-c3", "two-c3"],
  ]);
  expect(compared.measures).toEqual([]);
});

it("without gold, cases differ by what was decided", () => {
  const scorecards = [
    card("one", "c1", null),
    card("one", "c2", null),
    card("two", "c1", null),
    card("two", "c2", null),
  ];
  const results = [row("one", "c1", "yes"), row("two", "c1", "no"), row("one", "c2", "yes"), row("two", "c2", "yes")];
  const compared = compareTwoArms({ manifest, scorecards, results }, ["one", "two"], question);
  expect(compared.cases.map((one) => one.case)).toEqual(["c1"]);
  expect(compared.cases[0]?.headline).toContainEqual({ name: "answer", before: "yes", after: "no" });
});

it("an arm held against itself differs in nothing", () => {
  const scorecards = [card("one", "c1", true), card("one", "c2", false)];
  const compared = compareTwoArms({ manifest, scorecards, results: [] }, ["one", "one"], question);
  expect(compared).toEqual({ settings: [], measures: [], paired: 2, cases: [] });
});
