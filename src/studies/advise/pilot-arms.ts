import { sumWorstCases } from "../../engine/budget.ts";
import type { Scorecard } from "../results/scorecard.ts";
import type { StudyManifest } from "../results/study-manifest.ts";
import type { PilotArm } from "./reach-advice.ts";

/** The arms of a pilot on the cases that all of them have, with what a case cost. */
export function collectPilotArms(manifest: StudyManifest, scorecards: readonly Scorecard[]): PilotArm[] {
  const byArm = Map.groupBy(
    scorecards.filter(({ right }) => right !== null),
    ({ arm }) => arm,
  );
  const ran = manifest.arms.filter(({ name }) => byArm.has(name));
  const common = ran
    .map(({ name }) => new Set(byArm.get(name)?.map(({ case_id }) => case_id)))
    .reduce((left, right) => left.intersection(right));
  return ran.map(({ name, kind }) => {
    const cards = (byArm.get(name) ?? []).filter(({ case_id }) => common.has(case_id));
    const ordered = cards.toSorted((a, b) =>
      a.case_id < b.case_id ? -1 : a.case_id > b.case_id ? 1 : a.seed - b.seed,
    );
    const first = ordered.filter(({ case_id }, at) => ordered[at - 1]?.case_id !== case_id);
    return {
      name,
      control: kind === "control",
      right: first.map(({ right }) => right === true),
      cost: averageCost(first),
    };
  });
}

function averageCost(cards: readonly Scorecard[]): PilotArm["cost"] {
  const { calls, tokens, usd } = sumWorstCases(cards.map(({ cost }) => cost.spend ?? { calls: 0, tokens: 0, usd: 0 }));
  const count = Math.max(1, cards.length);
  return { calls: calls / count, tokens: tokens / count, usd: (usd ?? 0) / count };
}
