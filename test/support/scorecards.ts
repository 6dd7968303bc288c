/** Scorecards and manifests of studies that nobody ran. */
import { noUsage } from "../../src/contract/budget.ts";
import type { PlannedArm, Scorecard, StudyManifest } from "../../src/studies/results/results.ts";

/** A manifest of so many cases with gold and these arms. */
export function makeStudyManifest(arms: Record<string, PlannedArm["kind"]>, cases: number, seeds = [0]): StudyManifest {
  return {
    version: 1,
    study: "s",
    batch: "study/s/1",
    about: null,
    pack: "question",
    code: { parley: "0" },
    study_hash: "",
    prompt_hashes: {},
    dataset: { path: "d", hash: "", cases, with_gold: cases, notes: [], made_up: false },
    arms: Object.entries(arms).map(([name, kind]) => ({
      name,
      kind,
      settings: {},
      config_hash: name,
      cast: "expert",
      redecide: null,
    })),
    left_out: [],
    models: [],
    seeds,
    primary: "correct",
    budget: {},
    run_budget: {},
    notes: [],
    started_at: "",
  };
}

/** How an arm did on the case of this number. */
export function makeCard(arm: string, i: number, right: boolean, more: Partial<Scorecard> = {}): Scorecard {
  return {
    arm,
    case_id: `c${String(i).padStart(4, "0")}`,
    seed: 0,
    run_id: `${arm}-${i}`,
    outcome: "decided",
    reasons: [],
    decision: null,
    error: null,
    failure: null,
    scores: null,
    primary: Number(right),
    right,
    confidence: null,
    tally: {},
    positions: [],
    cost: { usage: noUsage, spend: { calls: 1, tokens: 0, usd: 0 }, calls_saved: 0 },
    samples: null,
    ...more,
  };
}
