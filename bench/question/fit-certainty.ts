import { writeFileSync } from "node:fs";
import { join } from "node:path";
import {
  type Fit,
  inspectAnswer,
  question as pack,
  scoreSigns,
  shippedFit,
  type Weights,
} from "../../src/packs/question/index.ts";
import { segmentSentences } from "../../src/text/split-text.ts";
import { type Asked, gradeBoth, holds, readFolder, readQuestions } from "./measure-documents.ts";

/** A question on a folder; those that are not `real` have no answer there and only teach. */
type Sample = { folder: string; asked: Asked; isReal: boolean; material: Material };
type Material = Awaited<ReturnType<typeof pack.prepare>>;
type Document = { id: string; text: string };
/** The best answer to a question, with its signs. */
type Top = { sample: Sample; signs: Record<string, number>; right: boolean; isCapped: boolean; weight: number };

/** What a made-up unanswerable question weighs beside a real one. */
const madeUp = 0.25;
/** How many right answers there are for each wrong one, at least, among those that are given and among those above .6. */
const rightForWrong = { least: 20, sure: 100 };

/** Fits how the reader ranks and how certain it is on labelled folders, says how it does on each folder when fitted on the others, and writes the fit. */
export async function fitCertainty(examples: string, folders: Record<string, string>, out: string): Promise<void> {
  const samples = await collectSamples(examples, folders);
  const rank = fitRank(samples.filter(({ isReal, asked }) => isReal && asked.answer !== null));
  const tops = samples.map((sample) => inspect(sample, { ...shippedFit, rank }));
  const total = { right: 0, wrong: 0, sure: 0, refused: 0 };
  for (const folder of Object.keys(folders)) {
    const certainty = fitChances(tops.filter(({ sample }) => sample.folder !== folder));
    const figures = count(
      tops.filter(({ sample }) => sample.folder === folder && sample.isReal),
      certainty,
    );
    console.log(`${folder.padEnd(16)} ${word(figures)}`);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += figures[key];
  }
  console.log(`${"all".padEnd(16)} ${word(total)} (the certainty of each folder fitted on the others)`);
  const fit = { rank, ...fitChances(tops) };
  const about = `Fitted on ${samples.filter(({ isReal }) => isReal).length} questions on ${Object.keys(folders).join(", ")}, on most of them again with the answer taken out of the documents, and on questions of other folders; node bench/question.ts --fit writes it. rank: which part of a statement answers; certainty: whether the best one is right.`;
  writeFileSync(out, `${JSON.stringify({ about, ...fit }, null, 2)}\n`);
}

/** The questions of each folder, the same with their answers taken out, and another folder's questions. */
async function collectSamples(examples: string, folders: Record<string, string>): Promise<Sample[]> {
  const names = Object.keys(folders);
  const samples: Sample[] = [];
  for (const [folder, file] of Object.entries(folders)) {
    const docs = await readFolder(join(examples, folder));
    const other = folders[names[(names.indexOf(folder) + 1) % names.length] ?? ""] ?? "";
    const add = async (asked: Asked, from: Document[], isReal: boolean): Promise<void> => {
      const input = pack.input.parse({ question: asked.question, docs: from });
      samples.push({
        folder,
        asked,
        isReal,
        material: await pack.prepare(input, pack.config.parse({}), { embed: null }),
      });
    };
    for (const asked of readQuestions(join(examples, file))) {
      await add(asked, docs, true);
      if (asked.answer !== null && (asked.reject ?? []).length === 0 && asked.kind !== "superseded")
        await add({ ...asked, answer: null }, takeOut(docs, asked.accept), false);
    }
    for (const asked of readQuestions(join(examples, other))) await add({ ...asked, answer: null }, docs, false);
  }
  return samples;
}

/** The documents without the sentences that hold one of these wordings. */
function takeOut(docs: Document[], wordings: string[]): Document[] {
  const isKept = (text: string): boolean => !wordings.some((wording) => holds(text, wording));
  return docs.map(({ id, text }) => ({
    id,
    text: text
      .split("\n")
      .map((line) =>
        isKept(line) ? line : line.startsWith("|") ? "" : [...segmentSentences(line)].filter(isKept).join(" "),
      )
      .join("\n"),
  }));
}

/** Signs that can only speak for an answer, and those that can only speak against it: few questions could teach otherwise by chance. */
const directions: Record<string, 1 | -1> = {
  ...Object.fromEntries(
    "coverage own focus typed near first given dense margin words".split(" ").map((name) => [name, 1]),
  ),
  ...Object.fromEntries("missing keys names unknown loose open".split(" ").map((name) => [name, -1])),
};

function clamp(name: string, weight: number): number {
  const direction = directions[name];
  return direction === undefined || weight * direction > 0 ? weight : 0;
}

/** How certain the best answer of a ranking is, and from where on to answer. */
function fitChances(tops: Top[]): Omit<Fit, "rank"> {
  const certainty = fitLogistic(tops.filter(isAnswer));
  return { certainty, ...chooseThresholds(tops.filter(isAnswer), certainty) };
}

function isAnswer({ signs }: Top): boolean {
  return Object.keys(signs).length > 0;
}

/** The best answer to a question; without signs where there is none that can be relied on. */
function inspect(sample: Sample, fit: Fit): Top {
  const weight = sample.isReal ? 1 : madeUp;
  const { found } = inspectAnswer(pack.input.parse({ question: sample.asked.question }), sample.material, fit);
  if (!found || found.trust < 0.9) return { sample, signs: {}, right: false, isCapped: false, weight };
  const right = gradeBoth(sample.asked, found.answer, found.short) === "right";
  return { sample, signs: found.signs, right, isCapped: found.isCapped, weight };
}

const fresh = { rate: 1, penalty: 0.003, steps: 1_500 };

/** What makes the right part of a statement stand out among all others: gradient ascent on the chance that a softmax picks it. */
function fitRank(samples: Sample[]): Weights {
  const lists = samples
    .map(({ asked, material }) =>
      inspectAnswer(pack.input.parse({ question: asked.question }), material, shippedFit)
        .ranked.slice(0, 25)
        .map(({ answer, short, signs }) => ({ signs, right: gradeBoth(asked, answer, short) === "right" })),
    )
    .filter((list) => list.some(({ right }) => right) && list.some(({ right }) => !right));
  const names = Object.keys(lists[0]?.[0]?.signs ?? {});
  const weights: Record<string, number> = Object.fromEntries(names.map((name) => [name, 0]));
  const pull = (list: (typeof lists)[number], name: string, chances: number[]): number => {
    const hit = list.reduce((sum, { right }, at) => sum + (right ? (chances[at] ?? 0) : 0), 0);
    return list.reduce((sum, { signs, right }, at) => {
      const chance = chances[at] ?? 0;
      return sum + ((right ? chance / Math.max(1e-9, hit) : 0) - chance) * (signs[name as keyof typeof signs] ?? 0);
    }, 0);
  };
  for (let step = 0; step < fresh.steps; step += 1) {
    const chances = lists.map((list) => {
      const scores = list.map(({ signs }) =>
        names.reduce((sum, name) => sum + (weights[name] ?? 0) * signs[name as keyof typeof signs], 0),
      );
      const most = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - most));
      const whole = powers.reduce((sum, power) => sum + power, 0);
      return powers.map((power) => power / whole);
    });
    for (const name of names) {
      const slope = lists.reduce((sum, list, at) => sum + pull(list, name, chances[at] ?? []), 0) / lists.length;
      weights[name] = clamp(name, (weights[name] ?? 0) + fresh.rate * (slope - fresh.penalty * (weights[name] ?? 0)));
    }
  }
  // Scores are brought near the middle of the logistic curve, where differences can be seen.
  const best = lists.map((list) =>
    Math.max(
      ...list.map(({ signs }) =>
        names.reduce((sum, name) => sum + (weights[name] ?? 0) * signs[name as keyof typeof signs], 0),
      ),
    ),
  );
  const bias = -best.reduce((sum, score) => sum + score, 0) / best.length;
  return { bias: round(bias), weights: roundAll(weights) };
}

/** The lowest score from which on there are so many right answers for each wrong one; those that are capped anyway are not counted for `sure`. */
function chooseThresholds(tops: Top[], fit: Weights): { least: number; sure: number } {
  const scored = tops.map((one) => ({ ...one, p: scoreSigns(fit, one.signs) }));
  const find = (told: typeof scored, needed: number): number => {
    const isEnough = (least: number): boolean => {
      const said = told.filter(({ p }) => p >= least);
      const weigh = (isRight: boolean): number =>
        said.filter(({ right }) => right === isRight).reduce((sum, { weight }) => sum + weight, 0);
      return weigh(true) >= weigh(false) * needed;
    };
    const scores = told.map(({ p }) => p).toSorted((a, b) => a - b);
    return scores.find(isEnough) ?? 1;
  };
  const least = find(
    scored.filter(({ sample }) => sample.isReal),
    rightForWrong.least,
  );
  const uncapped = scored.filter(({ isCapped }) => !isCapped);
  return { least: round(least), sure: round(Math.max(least, find(uncapped, rightForWrong.sure))) };
}

type Figures = Record<"right" | "wrong" | "sure" | "refused", number>;

function count(held: Top[], fit: Omit<Fit, "rank">): Figures {
  const figures = { right: 0, wrong: 0, sure: 0, refused: 0 };
  for (const top of held) {
    const p = isAnswer(top) ? scoreSigns(fit.certainty, top.signs) : 0;
    if (p < fit.least) figures[top.sample.asked.answer === null ? "right" : "refused"] += 1;
    else if (top.right) figures.right += 1;
    else {
      figures.wrong += 1;
      if (p > fit.sure && !top.isCapped) figures.sure += 1;
    }
  }
  return figures;
}

function word({ right, wrong, sure, refused }: Figures): string {
  return `right ${right}, wrong ${wrong} (above .6: ${sure}), refused ${refused}`;
}

/** Gradient descent with a mild penalty on the weights. */
function fitLogistic(tops: Top[]): Weights {
  const names = Object.keys(tops[0]?.signs ?? {});
  const fit: Weights = { bias: 0, weights: Object.fromEntries(names.map((name) => [name, 0])) };
  const whole = tops.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 0; step < fresh.steps; step += 1) {
    const errors = tops.map(({ signs, right, weight }) => (scoreSigns(fit, signs) - (right ? 1 : 0)) * weight);
    const mean = (of: (index: number) => number): number =>
      errors.reduce((sum, error, index) => sum + error * of(index), 0) / whole;
    const bias = mean(() => 1);
    for (const name of names)
      fit.weights[name] = clamp(
        name,
        (fit.weights[name] ?? 0) -
          fresh.rate * (mean((index) => tops[index]?.signs[name] ?? 0) + fresh.penalty * (fit.weights[name] ?? 0)),
      );
    fit.bias -= bias;
  }
  return { bias: round(fit.bias), weights: roundAll(fit.weights) };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function roundAll(values: Record<string, number>): Record<string, number> {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [name, round(value)]));
}
