import { question } from "../packs/question/index.ts";
import { createRandom, deriveSeed } from "../text/random.ts";
import { ParleyError } from "../contract/error.ts";
import { syntheticPlayer, type SyntheticSettings, SyntheticSettingsSchema } from "../players/synthetic-player.ts";
import { suggestName } from "../text/similar.ts";
import { shortenText, valueText } from "../text/format.ts";
import type { Section } from "../contract/view.ts";
import type { Cast } from "../engine/player.ts";
import { runDebate } from "../engine/run-debate.ts";
import { makeTable, numeric } from "./panel/panel-sections.ts";
import { buildCostChart, buildOverviewSections, tones } from "./report/study-sections.ts";
import { jobIdOf, type Scorecard, type StudyManifest } from "./results/results.ts";
import { planJobs, planReadyJob, scoreRun } from "./run/jobs.ts";
import { planArms } from "./run/plan-arms.ts";
import { makeStudyManifest } from "./run/run-study.ts";
import { type ControlName, controlNames, StudySchema } from "./run/study-file.ts";
import { summariseStudy } from "./summary/summarise-study.ts";

const letters = "ABCDEFGHIJ";

export type LabCase = {
  id: string;
  input: { id: string; question: string; choices: string[] };
  gold: string;
  seed: number;
};

export function makeLabCases(count: number, choices: number, seed: number): LabCase[] {
  return Array.from({ length: count }, (_, index) => {
    const id = `lab-${seed}-${index}`;
    const own = deriveSeed(`${seed}\n${index}`);
    const gold = letters[Math.floor(createRandom(own)() * choices)] ?? "A";
    const texts = Array.from({ length: choices }, (_unused, at) => `answer ${letters[at]}`);
    return { id, input: { id, question: `Question ${index + 1}?`, choices: texts }, gold, seed: own };
  });
}

type Axis = { name: string; values: (number | string)[] };

export function readAxis(text: string): Axis {
  const [name = "", list = ""] = text.split("=");
  const known = Object.keys(SyntheticSettingsSchema.shape).filter((one) => one !== "truth");
  if (!known.includes(name))
    throw new ParleyError("bad_input", `unknown setting "${shortenText(name)}"${suggestName(name, known)}`);
  const values = list.split(",").map((one) => (Number.isFinite(Number(one)) && one.trim() !== "" ? Number(one) : one));
  const wrong = values.find((value) => !SyntheticSettingsSchema.safeParse({ [name]: value }).success);
  if (list === "" || wrong !== undefined)
    throw new ParleyError("bad_input", `${name}=${shortenText(list)}: "${wrong ?? ""}" is not a valid value`);
  return { name, values };
}

export function spanGrid(axes: readonly Axis[]): SyntheticSettings[] {
  const points = axes.reduce<Record<string, unknown>[]>(
    (found, { name, values }) => found.flatMap((point) => values.map((value) => ({ ...point, [name]: value }))),
    [{}],
  );
  return points.map((point) => SyntheticSettingsSchema.parse(point));
}

/** A study of synthetic speakers: of each setting what a study folder holds. */
export type LabStudy = { speakers: SyntheticSettings; manifest: StudyManifest; scorecards: Scorecard[] };

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
    speakers,
    manifest: makeStudyManifest(study, question, dataset, plan, null),
    scorecards: [...cards.values()],
  };
}

function toStudyCase({ id, input, gold }: LabCase) {
  return { id, input, gold: question.measure?.gold.parse({ answer: gold, choices: input.choices }) as unknown };
}

/** How each arm did, for each setting of the speakers. */
export function listLabPoints({ speakers, manifest, scorecards }: LabStudy) {
  return summariseStudy(manifest, scorecards, question.measure).arms.map(({ arm, cases, primary, usage, runs }) => ({
    speakers,
    arm: arm.name,
    control: arm.kind === "control",
    cases,
    accuracy: primary,
    calls: usage.calls / Math.max(1, runs),
  }));
}

/** One setting of the speakers in full; of several, a row each, and the rest as details. */
export function buildLabSections(studies: readonly LabStudy[]): Section[] {
  const valuesOf = (name: string) => studies.map(({ speakers }) => speakers[name as keyof SyntheticSettings]);
  const varied = Object.keys(SyntheticSettingsSchema.shape).filter((name) => new Set(valuesOf(name)).size > 1);
  const kinds = studies.map(({ speakers, manifest, scorecards }) => {
    const summary = summariseStudy(manifest, scorecards, question.measure);
    const name = varied.map((one) => `${one}=${String(speakers[one as keyof SyntheticSettings])}`).join(", ");
    return { name, summary, sections: [...buildOverviewSections(summary), buildCostChart(summary)] };
  });
  if (kinds.length < 2) return kinds[0]?.sections ?? [];
  const won = kinds.filter(({ summary }) => summary.verdict.answer === "yes").length;
  const note = `${studies[0]?.manifest.dataset.cases ?? 0} questions each.`;
  return [
    {
      kind: "verdict",
      title: "When is the debate worth it?",
      answer: `In ${won} of ${kinds.length} settings it beats every control`,
      tone: won === 0 ? "bad" : won === kinds.length ? "good" : "neutral",
      points: [],
    },
    makeTable({ title: "Settings", note }, kinds, [
      ["speakers", ({ name }) => name],
      ...(kinds[0]?.summary.arms ?? []).map(
        ({ arm }, at) =>
          [
            numeric(arm.name),
            ({ summary }: (typeof kinds)[number]) => valueText(summary.arms[at]?.primary?.estimate),
          ] as const,
      ),
      [
        "worth it",
        ({ summary: { verdict } }) => ({ text: verdict.headline.split(":")[0] ?? "", tone: tones[verdict.answer] }),
      ],
    ]),
    ...kinds.map(({ name, sections }): Section => ({ kind: "group", title: name, detail: true, sections })),
  ];
}
