import type { AnyPack } from "../engine/pack.ts";
import type { Scorecard, StudyManifest, ResultRow } from "./results/results.ts";
import { collectArmData, type ArmSummary, summariseArm } from "./summary/summarise-arm.ts";
import { type Comparison, compareArms } from "./summary/verdict.ts";
import { type Difference, diffJson } from "../text/json-diff.ts";
import { jobIdOf } from "./run/study-folder.ts";

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

/** A study with what its runs came to. */
export type StudyWithResults = {
  manifest: StudyManifest;
  scorecards: readonly Scorecard[];
  results: readonly ResultRow[];
};

/** How one arm ended on a case. */
export type ArmEnd = { run: string | null; outcome: string; score: number | null; right: boolean | null };

/** A case on which two arms ended otherwise, with the lines of the headline that differ. */
export type CasePair = {
  case: string;
  seed: number;
  a: ArmEnd;
  b: ArmEnd;
  headline: { name: string; before: string; after: string }[];
};

/** Two arms of a study side by side: only what differs. */
export type TwoArms = {
  settings: Difference[];
  measures: { name: string; before: number; after: number }[];
  /** On how many cases, seed by seed, both have ended. */
  paired: number;
  cases: CasePair[];
};

/** Compares two arms of a study case by case, in the order of its cases. */
export function compareTwoArms(study: StudyWithResults, [a, b]: [string, string], pack: AnyPack): TwoArms {
  const rows = new Map(study.results.map((row) => [jobIdOf(row), row]));
  const others = new Map(study.scorecards.filter(({ arm }) => arm === b).map((card) => [keyOf(card), card]));
  const pairs = study.scorecards
    .filter(({ arm, ...key }) => arm === a && others.has(keyOf(key)))
    .map((card): [Scorecard, Scorecard] => [card, others.get(keyOf(card)) as Scorecard]);
  return {
    settings: diffJson(settingsOf(study.manifest, a), settingsOf(study.manifest, b)),
    measures: compareMeasures(
      summarise(
        study,
        pairs.map(([first]) => first),
        a,
        pack,
      ),
      summarise(
        study,
        pairs.map(([, second]) => second),
        b,
        pack,
      ),
    ),
    paired: pairs.length,
    cases: pairs.map(([first, second]) => pairCase(first, second, rows, pack)).filter(isOther),
  };
}

function keyOf({ case_id, seed }: Pick<Scorecard, "case_id" | "seed">): string {
  return JSON.stringify([case_id, seed]);
}

function settingsOf({ arms }: StudyManifest, name: string) {
  const arm = arms.find((one) => one.name === name);
  return { cast: arm?.cast ?? "", redecide: arm?.redecide ?? null, settings: arm?.settings ?? {} };
}

function pairCase(first: Scorecard, second: Scorecard, rows: ReadonlyMap<string, ResultRow>, pack: AnyPack): CasePair {
  const [old, now] = [first, second].map((card) => readHeadline(rows.get(jobIdOf(card)), pack));
  const names = [...new Set([...Object.keys(old ?? {}), ...Object.keys(now ?? {})])];
  const lines = names.map((name) => ({ name, before: old?.[name] ?? "nothing", after: now?.[name] ?? "nothing" }));
  return {
    case: first.case_id,
    seed: first.seed,
    a: endOf(first),
    b: endOf(second),
    headline: lines.filter(({ before, after }) => before !== after),
  };
}

function readHeadline(row: ResultRow | undefined, pack: AnyPack): Record<string, string> {
  if (!row?.decision) return {};
  const said = pack.measure?.goldOf?.(row.decision) ?? {};
  return Object.fromEntries(Object.entries(said).map(([name, value]) => [name, String(value)]));
}

function endOf({ run_id, outcome, primary, right }: Scorecard): ArmEnd {
  return { run: run_id, outcome, score: primary, right };
}

function isOther({ a, b, headline }: CasePair): boolean {
  return a.outcome !== b.outcome || a.score !== b.score || a.right !== b.right || headline.length > 0;
}

function summarise({ manifest }: StudyWithResults, cards: Scorecard[], name: string, pack: AnyPack): ArmSummary | null {
  const arm = manifest.arms.find((one) => one.name === name);
  return arm && cards.length > 0 ? summariseArm(arm, collectArmData(name, cards), pack.measure) : null;
}

/** The numbers of two arms that differ, over the cases that both have. */
function compareMeasures(a: ArmSummary | null, b: ArmSummary | null): TwoArms["measures"] {
  const [before, after] = [listNumbers(a), listNumbers(b)];
  return [...before]
    .map(([name, value]) => ({ name, before: value, after: after.get(name) ?? value }))
    .filter((one) => one.before !== one.after);
}

function listNumbers(arm: ArmSummary | null): Map<string, number> {
  if (!arm) return new Map();
  const means = Object.entries({ ...arm.metrics, ...arm.rates }).map(([name, { estimate }]): [string, number] => [
    name,
    estimate,
  ]);
  const perRun = (value: number): number => value / arm.runs;
  return new Map([
    ...means,
    ["decided", perRun(arm.outcomes.decided ?? 0)],
    ["calls per run", perRun(arm.spend.calls)],
    ["tokens per run", perRun(arm.spend.tokens)],
    ...(arm.spend.usd === null ? [] : [["USD per run", perRun(arm.spend.usd)] as [string, number]]),
  ]);
}
