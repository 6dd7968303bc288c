import type { AnyPack } from "../../engine/pack.ts";
import type { StudyCase } from "../datasets/study-case.ts";
import type { JobKey, Scorecard } from "../results/scorecard.ts";
import type { ArmPlan } from "./plan-arms.ts";
import type { Job } from "./run-job.ts";

/** A job whose details may depend on what other arms did on the same case. */
export type PlannedJob = { key: JobKey; arm: ArmPlan; case: StudyCase };

/** What a job may build on. */
export type Known = { pack: AnyPack; arms: ArmPlan[]; cardOf: CardOf };

/** Looks up how an arm did on a case with a seed. */
export type CardOf = (key: JobKey) => Scorecard | undefined;

/**
 * All jobs of a study, case by case so that a study cut short still compares like with like; arms that build on others
 * (turns used again, sample counts) come after all of them.
 */
export function* planJobs(arms: ArmPlan[], cases: StudyCase[], seeds: number[]): Generator<PlannedJob> {
  for (const later of [false, true])
    for (const one of cases)
      for (const arm of arms.filter((candidate) => needsOtherArms(candidate) === later))
        for (const seed of seeds) yield { key: { arm: arm.name, case_id: one.id, seed }, arm, case: one };
}

/** True for arms that need the results of other arms. */
export function needsOtherArms(arm: ArmPlan): boolean {
  return arm.redecide !== null || arm.samples !== null;
}

/**
 * The job in full: whose turns it uses again, or how many samples fit the tokens of the reference; null while what it
 * builds on is missing.
 */
export function planReadyJob(planned: PlannedJob, { pack, arms, cardOf }: Known): Job | null {
  const { key, arm } = planned;
  const base = { ...planned, config: arm.settings, cast: arm.cast, samples: null };
  if (arm.redecide !== null) {
    const source = cardOf({ ...key, arm: arm.redecide });
    return source === undefined ? null : { ...base, cast: `recording/${source.run_id ?? "none"}` };
  }
  if (arm.samples === null) return base;
  const reference = cardOf({ ...key, arm: arms.find((one) => one.kind === "reference")?.name ?? "" });
  const single = cardOf({ ...key, arm: findSingle(arms) });
  if (reference === undefined || single === undefined) return null;
  const samples = findMostAccepted(pack, arm.samples, countSamples(reference, single));
  return { ...base, samples, config: arm.samples(samples) };
}

/** The largest number of samples, up to the one wanted, that the pack's config allows. */
function findMostAccepted(pack: AnyPack, settingsOf: (count: number) => unknown, wanted: number): number {
  let count = wanted;
  while (count > 1 && !pack.config.safeParse(settingsOf(count)).success) count--;
  return count;
}

/** The arm that is the single control, under whatever name. */
function findSingle(arms: ArmPlan[]): string {
  return arms.find((arm) => arm.control === "single")?.name ?? "single";
}

const mostSamples = 64;

/** As many samples as cost about what the reference cost on this case; at least one, at most 64. */
export function countSamples(reference: Scorecard, single: Scorecard): number {
  const free = tokensOf(reference) === 0 && tokensOf(single) === 0;
  const [budget, each] = [reference, single].map(free ? callsOf : tokensOf) as [number, number];
  if (budget === 0 || each === 0) return 1;
  return Math.min(mostSamples, Math.max(1, Math.round(budget / each)));
}

/** What players that use no tokens are measured by. */
function callsOf(card: Scorecard): number {
  return card.cost.spend?.calls ?? 0;
}

function tokensOf(card: Scorecard): number {
  return card.cost.usage.inputTokens + card.cost.usage.outputTokens;
}
