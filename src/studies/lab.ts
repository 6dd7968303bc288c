import { type QuestionConfig, question } from "../packs/question/index.ts";
import { controlNames, makeControl } from "../runs/controls.ts";
import { createRandom, deriveSeed } from "../text/random.ts";
import { ParleyError } from "../contract/error.ts";
import { syntheticPlayer, type SyntheticSettings, SyntheticSettingsSchema } from "../players/synthetic-player.ts";
import { suggestName } from "../text/similar.ts";
import { formatP, shortenText, valueText } from "../text/format.ts";
import type { Estimate, Section, Tone } from "../contract/view.ts";
import type { Cast } from "../engine/player.ts";
import { runDebate } from "../engine/run-debate.ts";
import { sayTest } from "./panel/panel-sections.ts";
import { makeTable, numeric } from "./panel/table.ts";
import { bootstrapMean, wilson, testPaired } from "./statistics/statistics.ts";

export type LabArm = { name: string; control: boolean; config: Partial<QuestionConfig> };

/** Three speakers, three rounds. */
const debateCalls = 9;

export const labArms: readonly LabArm[] = [
  ...controlNames.map((name) => ({ name, control: true, config: makeControl(question, name, debateCalls) ?? {} })),
  { name: "debate", control: false, config: { protocol: "round-table", max_rounds: 3 } },
];

export type LabCase = { input: { id: string; question: string; choices: string[] }; truth: string; seed: number };

const letters = "ABCDEFGHIJ";

export function makeLabCases(count: number, choices: number, seed: number): LabCase[] {
  return Array.from({ length: count }, (_, index) => {
    const own = deriveSeed(`${seed}\n${index}`);
    const truth = letters[Math.floor(createRandom(own)() * choices)] ?? "A";
    const texts = Array.from({ length: choices }, (_unused, at) => `answer ${letters[at]}`);
    return {
      input: { id: `lab-${seed}-${index}`, question: `Question ${index + 1}?`, choices: texts },
      truth,
      seed: own,
    };
  });
}

export type Axis = { name: string; values: (number | string)[] };

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

export async function runLab(kinds: readonly SyntheticSettings[], cases: readonly LabCase[], options: LabOptions) {
  const points: LabPoint[] = [];
  for (const kind of kinds) for (const arm of labArms) points.push(await runLabPoint(arm, kind, cases, options));
  return points;
}

export type LabPoint = Awaited<ReturnType<typeof runLabPoint>>;

export type LabOptions = {
  others?: Record<string, SyntheticSettings>;
  signal?: AbortSignal;
  onCase?(): void;
};

export async function runLabPoint(
  arm: LabArm,
  speakers: SyntheticSettings,
  cases: readonly LabCase[],
  options: LabOptions = {},
) {
  const done: { right: boolean; confidence: number | null; calls: number; beliefs: number[] }[] = [];
  for (const one of cases) {
    if (options.signal?.aborted) throw new ParleyError("interrupted", "interrupted");
    done.push(await runLabCase(arm, speakers, one, options.others ?? {}));
    options.onCase?.();
  }
  const rounds = Math.max(0, ...done.map(({ beliefs }) => beliefs.length));
  return {
    speakers,
    arm: arm.name,
    control: arm.control,
    cases: cases.length,
    accuracy: wilson(done.filter(({ right }) => right).length, done.length) ?? { estimate: 0, low: 0, high: 1 },
    calls: done.reduce((sum, { calls }) => sum + calls, 0) / Math.max(1, done.length),
    beliefs: Array.from({ length: rounds }, (_, round) => {
      const shares = done.map(({ beliefs }) => beliefs[Math.min(round, beliefs.length - 1)] ?? 0);
      return shares.reduce((sum, one) => sum + one, 0) / Math.max(1, shares.length);
    }),
    moved: measureMove(done.map(({ beliefs }) => beliefs)),
    right: done.map(({ right }) => right),
    confidences: done.map(({ confidence }) => confidence),
  };
}

function measureMove(beliefs: readonly (readonly number[])[]): Estimate {
  const heard = beliefs.filter(({ length }) => length > 0);
  const moves = heard.map((rounds) => (rounds.at(-1) ?? 0) - (rounds[0] ?? 0));
  return bootstrapMean(moves, { random: createRandom(1), resamples: 1_000 });
}

async function runLabCase(
  arm: LabArm,
  speakers: SyntheticSettings,
  { input, truth, seed }: LabCase,
  others: Record<string, SyntheticSettings>,
) {
  const cast: Cast = (role) => syntheticPlayer({ ...(others[role] ?? speakers), truth });
  const config = question.config.parse(arm.config);
  const { result } = await runDebate({ pack: question, input: question.input.parse(input), config, cast, seed });
  const { decision } = result;
  const beliefs = (decision?.rounds ?? []).map(
    ({ speeches }) => speeches.filter(({ canonical }) => canonical === truth).length / Math.max(1, speeches.length),
  );
  const confidence = decision?.canonical ? decision.confidence : null;
  return { right: decision?.canonical === truth, confidence, calls: result.spend.calls, beliefs };
}

/** One setting of the speakers in full; of several, a row each, and the rest as details. */
export function buildLabSections(points: readonly LabPoint[]): Section[] {
  const groups = [...Map.groupBy(points, ({ speakers }) => JSON.stringify(speakers)).values()];
  const all = groups.flatMap(([first]) => (first ? [first.speakers] : []));
  const varied = Object.keys(SyntheticSettingsSchema.shape).filter(
    (name) => new Set(all.map((one) => JSON.stringify(one[name as keyof SyntheticSettings]))).size > 1,
  );
  const kinds = groups.flatMap((arms) => compareArms(arms, varied) ?? []);
  const [only] = kinds;
  if (!only) return [];
  if (kinds.length === 1) return buildKind(only);
  const won = kinds.filter(({ answer }) => answer === "Yes").length;
  return [
    {
      kind: "verdict",
      title: "When is the debate worth it?",
      answer: `In ${won} of ${kinds.length} settings it beats the best control`,
      tone: won === 0 ? "bad" : won === kinds.length ? "good" : "neutral",
      points: [],
    },
    makeTable({ title: "Settings", note: `${points[0]?.cases ?? 0} questions each.` }, kinds, [
      ["speakers", ({ name }) => name],
      [numeric("debate"), ({ debate }) => valueText(debate.accuracy.estimate)],
      [numeric("calls"), ({ debate }) => debate.calls.toFixed(1)],
      [numeric("best control"), ({ best }) => ({ text: valueText(best.accuracy.estimate), note: best.arm })],
      [numeric("calls"), ({ best }) => best.calls.toFixed(1)],
      ["worth it", ({ answer, test }) => ({ text: answer, tone: toneOf(answer), note: `p ${formatP(test.p)}` })],
    ]),
    ...kinds.map((one): Section => ({ kind: "group", title: one.name, detail: true, sections: buildKind(one) })),
  ];
}

type Kind = NonNullable<ReturnType<typeof compareArms>>;

function compareArms(arms: readonly LabPoint[], varied: readonly string[]) {
  const best = arms.filter(({ control }) => control).toSorted((a, b) => b.accuracy.estimate - a.accuracy.estimate)[0];
  const debate = arms.find(({ control }) => !control);
  if (!best || !debate) return null;
  const { speakers } = debate;
  const name = varied.map((one) => `${one}=${String(speakers[one as keyof SyntheticSettings])}`).join(", ");
  const test = testPaired(best.right.map(Number), debate.right.map(Number));
  const answer = test.p >= 0.05 ? "Not shown" : test.difference.estimate > 0 ? "Yes" : "No";
  return { name, arms, best, debate, test, answer };
}

function toneOf(answer: string): Tone {
  return answer === "Yes" ? "good" : answer === "No" ? "bad" : "neutral";
}

function buildKind({ arms, best, debate, test, answer }: Kind): Section[] {
  const belief = `The share of speakers with the right answer moved by ${percent(debate.moved)} from the first round to the last.`;
  const cost = `${debate.arm} asks ${debate.calls.toFixed(1)} times a case, ${best.arm} ${best.calls.toFixed(1)} times.`;
  return [
    {
      kind: "verdict",
      title: "Was the debate worth it?",
      answer: `${answer}: ${debate.arm} against ${best.arm}, ${sayTest(test)}`,
      tone: toneOf(answer),
      points: [cost, belief],
    },
    buildTable(arms),
    {
      kind: "chart",
      title: "Accuracy over cost",
      repeats: true,
      chart: {
        type: "cost",
        axes: { cost: "calls a case", quality: "accuracy" },
        points: arms.map(({ arm, control, calls, accuracy }) => ({
          name: arm,
          group: control ? "control" : "arm",
          cost: calls,
          quality: accuracy,
        })),
      },
    },
  ];
}

function buildTable(arms: readonly LabPoint[]): Section {
  const note = `${arms[0]?.cases ?? 0} questions; 95% intervals over questions.`;
  return makeTable({ title: "Arms", note }, arms, [
    ["arm", ({ arm, control }) => ({ text: arm, tag: control ? "control" : "arm" })],
    [numeric("right"), ({ accuracy }) => percent(accuracy)],
    [numeric("calls"), ({ calls }) => calls.toFixed(1)],
    [
      "right speakers, round by round",
      ({ beliefs }) => beliefs.map((share) => `${Math.round(100 * share)}%`).join(" → "),
    ],
  ]);
}

function percent({ estimate, low, high }: Estimate): string {
  const write = (value: number) => (100 * value).toFixed(1);
  return `${write(estimate)}% [${write(low)}, ${write(high)}]`;
}
