import type { Scorecard, StudyManifest } from "../results/results.ts";
import { type ArmData, type ArmSummary, collectArmData, type RateMeasure, summariseArm } from "./summarise-arm.ts";
import { compareArms, reachVerdict } from "./verdict.ts";

export type StudySummary = ReturnType<typeof summariseStudy>;

const order = { reference: 0, control: 1, arm: 2 };

/** Arms come with the reference first, then its controls, then the others. */
export function summariseStudy(manifest: StudyManifest, scorecards: readonly Scorecard[], measure?: RateMeasure) {
  const planned = manifest.arms.toSorted((a, b) => order[a.kind] - order[b.kind]);
  const data = planned.map((arm) => collectArmData(arm.name, scorecards));
  const arms = borrowPanels(planned.map((arm, i) => summariseArm(arm, data[i] as ArmData, measure)));
  const [reference, ...others] = data;
  const comparisons = reference ? compareArms(reference, others, manifest.dataset.cases) : [];
  const total = planned.length * manifest.dataset.cases * manifest.seeds.length;
  const missing = total - scorecards.length;
  const verdict = reachVerdict(arms, comparisons, manifest, { missing, total });
  return { manifest, arms, comparisons, verdict, missing };
}

/** An arm that stops asking has the same speakers as one that asked them all: what they are worth is known from there. */
function borrowPanels(arms: ArmSummary[]): ArmSummary[] {
  const isSame = (one: ArmSummary, other: ArmSummary): boolean =>
    new Set([...one.speakers, ...other.speakers]).size === one.speakers.length &&
    one.speakers.length === other.speakers.length;
  return arms.map((one) =>
    one.panel || one.speakers.length < 2
      ? one
      : { ...one, panel: arms.find((other) => other.panel && isSame(one, other))?.panel ?? null },
  );
}
