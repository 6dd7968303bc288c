import type { AnyPack } from "../engine/pack.ts";
import type { Scorecard, StudyManifest } from "./results/results.ts";
import { collectArmData } from "./summary/summarise-arm.ts";
import { type Comparison, compareArms } from "./summary/verdict.ts";

export type StoredStudy = { manifest: StudyManifest; scorecards: readonly Scorecard[] };

/** One arm in two studies, on the cases that both have. */
export type ArmInTwo = { first: string; second: string; comparison: Comparison };
export type StudyComparison = { arms: ArmInTwo[]; notes: string[] };

/** Compares arms of the same name in two studies (and the two references, whatever their names), paired by case id. */
export function compareStudies(first: StoredStudy, second: StoredStudy, pack: AnyPack): StudyComparison {
  const pairs = pairArms(first.manifest, second.manifest);
  const arms = pairs.flatMap(([a, b]) => {
    const [comparison] = compareArms(
      collectArmData(b, second.scorecards),
      [collectArmData(a, first.scorecards)],
      pack.measure,
      0,
    );
    return comparison ? [{ first: a, second: b, comparison }] : [];
  });
  return { arms, notes: noteDifferences(first.manifest, second.manifest) };
}

function pairArms(first: StudyManifest, second: StudyManifest): [string, string][] {
  const reference = (manifest: StudyManifest): string =>
    manifest.arms.find((arm) => arm.kind === "reference")?.name ?? "";
  const same = first.arms
    .filter((arm) => second.arms.some((other) => other.name === arm.name))
    .map((arm): [string, string] => [arm.name, arm.name]);
  const main: [string, string] = [reference(first), reference(second)];
  return main[0] === main[1] ? same : [main, ...same];
}

function noteDifferences(first: StudyManifest, second: StudyManifest): string[] {
  const differs = (what: string, a: unknown, b: unknown): string[] =>
    JSON.stringify(a) === JSON.stringify(b) ? [] : [`${what}: ${String(a)} and ${String(b)}`];
  return [
    ...differs("another pack", first.pack, second.pack),
    ...(first.dataset.hash === second.dataset.hash
      ? []
      : [
          `another dataset (${first.dataset.path} and ${second.dataset.path}): only cases with the same id are compared`,
        ]),
    ...(JSON.stringify(first.prompt_hashes) === JSON.stringify(second.prompt_hashes)
      ? []
      : ["the pack's prompts differ"]),
    ...differs("another Parley", first.code.parley, second.code.parley),
    ...differs("other players", first.models.join(" "), second.models.join(" ")),
  ];
}
