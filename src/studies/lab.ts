import { question } from "../packs/question/index.ts";
import { createRandom, deriveSeed } from "../text/random.ts";
import { ParleyError } from "../contract/error.ts";
import { syntheticPlayer, type SyntheticSettings } from "../players/synthetic-player.ts";
import type { Section } from "../contract/view.ts";
import type { Cast } from "../engine/player.ts";
import { runDebate } from "../engine/run-debate.ts";
import { buildCostChart, buildOverviewSections } from "./report/study-sections.ts";
import { jobIdOf, type Scorecard, type StudyManifest } from "./results/results.ts";
import { planJobs, planReadyJob, scoreRun } from "./run/jobs.ts";
import { planArms } from "./run/plan-arms.ts";
import { makeStudyManifest } from "./run/run-study.ts";
import { type ControlName, controlNames, StudySchema } from "./run/study-file.ts";
import { type StudySummary, summariseStudy } from "./summary/summarise-study.ts";

const letters = "ABCDEFGHIJ";

export type LabCase = ReturnType<typeof makeLabCases>[number];

export function makeLabCases(count: number, choices: number, seed: number) {
  return Array.from({ length: count }, (_, index) => {
    const id = `lab-${seed}-${index}`;
    const own = deriveSeed(`${seed}\n${index}`);
    const gold = letters[Math.floor(createRandom(own)() * choices)] ?? "A";
    const texts = Array.from({ length: choices }, (_unused, at) => `answer ${letters[at]}`);
    return { id, input: { id, question: `Question ${index + 1}?`, choices: texts }, gold, seed: own };
  });
}

/** A study of synthetic speakers: what a study folder holds. */
export type LabStudy = { manifest: StudyManifest; scorecards: Scorecard[] };

export type LabOptions = {
  controls?: readonly ControlName[];
  /** Speakers of another quality, by role. */
  others?: Record<string, SyntheticSettings>;
  signal?: AbortSignal;
  onRun?(done: number, all: number): void;
};

/** Plays a debate and its controls on questions whose right answer is known, without a store. */
export async function runLab(
  speakers: SyntheticSettings,
  cases: readonly LabCase[],
  { controls = controlNames, others = {}, signal, onRun }: LabOptions = {},
): Promise<LabStudy> {
  const castFor =
    (truth: string): Cast =>
    (role) =>
      syntheticPlayer({ ...(others[role] ?? speakers), truth });
  const study = StudySchema.parse({
    study: "lab",
    pack: question.name,
    dataset: { path: "questions made for the lab" },
    arms: [{ name: "debate", config: { max_rounds: 3 } }],
    controls,
  });
  const plan = await planArms(study, question, async () => castFor("A"));
  const dataset = { path: study.dataset.path, hash: "", cases: cases.map(toStudyCase), notes: [] };
  const seeds = new Map(cases.map((one) => [one.id, one.seed]));
  const cards = new Map<string, Scorecard>();
  const jobs = [...planJobs(plan.arms, dataset.cases, study.seeds)];
  for (const planned of jobs) {
    if (signal?.aborted) throw new ParleyError("interrupted", "interrupted");
    const known = { pack: question, arms: plan.arms, cardOf: (key: typeof planned.key) => cards.get(jobIdOf(key)) };
    const job = planReadyJob(planned, known);
    if (!job) continue;
    const { id, input, gold } = job.case;
    const { answer } = gold as { answer: string };
    const given = { pack: question, input: question.input.parse(input), config: question.config.parse(job.config) };
    const { result, turns } = await runDebate({ ...given, cast: castFor(answer), seed: seeds.get(id) });
    cards.set(jobIdOf(job.key), scoreRun(question, job, { runId: null, result, turns }));
    onRun?.(cards.size, jobs.length);
  }
  return {
    manifest: makeStudyManifest(study, question, dataset, plan, null),
    scorecards: [...cards.values()],
  };
}

function toStudyCase({ id, input, gold }: LabCase) {
  return { id, input, gold: question.measure?.gold.parse({ answer: gold, choices: input.choices }) as unknown };
}

export function summariseLab({ manifest, scorecards }: LabStudy): StudySummary {
  return summariseStudy(manifest, scorecards, question.measure);
}

export function buildLabSections(summary: StudySummary): Section[] {
  return [...buildOverviewSections(summary), buildCostChart(summary)];
}
