import { writeFileSync } from "node:fs";
import {
  type Fit,
  inspectAnswer,
  question as pack,
  scoreSigns,
  shippedFit,
  stateCertainty,
  type Weights,
} from "../../src/packs/question/index.ts";
import { segmentSentences } from "../../src/text/split-text.ts";
import { type Asked, gradeBoth, holds, readFolder, readQuestions } from "./measure-documents.ts";

/** A question on a folder; those that are not `real` have no answer there and only teach. */
type Sample = { folder: string; asked: Asked; isReal: boolean; weight: number; material: Material };
type Material = Awaited<ReturnType<typeof pack.prepare>>;
type Document = { id: string; text: string };
type Signs = Record<string, number>;
type Gate = Parameters<typeof stateCertainty>[1];
/** The best answer to a question, with its signs; without signs where there is none. */
type Top = { sample: Sample; signs: Signs | null; right: boolean; isCapped: boolean };
/** A folder with labelled questions; `natural` ones are worded without the documents' words and count more. */
export type Folder = { path: string; questions: string; isNatural: boolean };

const weights = { natural: 3, madeUp: 0.15 };

/** Fits how the reader ranks and how certain it is on labelled folders, says how it does on each folder when all was fitted on the others, and writes the fit. */
export async function fitCertainty(folders: Record<string, Folder>, out: string): Promise<void> {
  const samples = await collectSamples(folders);
  const totals = { own: emptyFigures(), natural: emptyFigures() };
  for (const [folder, { isNatural }] of Object.entries(folders)) {
    const fit = fitAll(samples.filter((sample) => sample.folder !== folder));
    const figures = count(
      samples.filter((sample) => sample.folder === folder && sample.isReal).map((sample) => inspect(sample, fit)),
      fit,
    );
    console.log(`${folder.padEnd(16)} ${describe(figures)}`);
    const total = totals[isNatural ? "natural" : "own"];
    for (const key of Object.keys(total) as (keyof Figures)[]) total[key] += figures[key];
  }
  for (const [name, total] of Object.entries(totals)) console.log(`${name.padEnd(16)} ${describe(total)}`);
  console.log("(ranking and certainty of each folder fitted on the others)");
  const fit = fitAll(samples);
  const about = `Fitted on ${samples.filter(({ isReal }) => isReal).length} questions on ${Object.keys(folders).join(", ")}, on most of them again with the answer taken out of the documents, and on questions of other folders; node bench/question.ts --fit writes it. rank: which part of a statement answers; certainty: whether the best one is right.`;
  writeFileSync(out, `${JSON.stringify({ about, ...fit }, null, 2)}\n`);
}

/** The questions of each folder, the same with their answers taken out, and another folder's questions. */
async function collectSamples(folders: Record<string, Folder>): Promise<Sample[]> {
  const all = Object.entries(folders);
  const samples: Sample[] = [];
  for (const [at, [folder, { path, questions, isNatural }]] of all.entries()) {
    const docs = await readFolder(path);
    const weight = isNatural ? weights.natural : 1;
    const add = async (asked: Asked, from: Document[], isReal: boolean): Promise<void> => {
      const input = pack.input.parse({ question: asked.question, docs: from });
      const material = await pack.prepare(input, pack.config.parse({}), { embed: null });
      samples.push({ folder, asked, isReal, weight: isReal ? weight : weights.madeUp * weight, material });
    };
    for (const asked of readQuestions(questions)) {
      await add(asked, docs, true);
      if (asked.answer !== null && (asked.reject ?? []).length === 0 && asked.kind !== "superseded")
        await add({ ...asked, answer: null }, takeOut(docs, asked.accept), false);
    }
    const other = all[(at + 1) % all.length]?.[1].questions ?? "";
    for (const asked of readQuestions(other)) await add({ ...asked, answer: null }, docs, false);
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

function fitAll(samples: Sample[]): Fit {
  const rank = fitRank(samples.filter(({ isReal, asked }) => isReal && asked.answer !== null));
  const tops = samples.map((sample) => inspect(sample, { ...shippedFit, rank }));
  return { rank, certainty: fitLogistic(tops) };
}

const inspected = new WeakMap<Sample, { rank: string; top: Top }>();

function inspect(sample: Sample, fit: Fit): Top {
  const rank = JSON.stringify(fit.rank);
  const known = inspected.get(sample);
  if (known?.rank === rank) return known.top;
  const { found } = inspectAnswer(pack.input.parse({ question: sample.asked.question }), sample.material, fit);
  const isThere = found !== null && found.trust >= 0.9;
  const top = {
    sample,
    signs: isThere ? found.signs : null,
    right: isThere && gradeBoth(sample.asked, found.answer, found.short) === "right",
    isCapped: isThere && found.isCapped,
  };
  inspected.set(sample, { rank, top });
  return top;
}

/** Signs that can only speak for an answer, and those that can only speak against it: few questions could teach otherwise by chance. */
const directions: Record<string, 1 | -1> = {
  ...Object.fromEntries(
    "coverage own near given focus typed first words score margin".split(" ").map((name) => [name, 1]),
  ),
  ...Object.fromEntries("missing untyped names unknown open".split(" ").map((name) => [name, -1])),
};

function clamp(name: string, weight: number): number {
  const direction = directions[name];
  return direction === undefined || weight * direction > 0 ? weight : 0;
}

const learning = { rate: 1, penalty: 0.003, steps: 400 };
type List = { weight: number; parts: { signs: Signs; right: boolean }[] };
const lists = new WeakMap<Sample, List>();

function listParts(sample: Sample): List {
  const known = lists.get(sample);
  if (known) return known;
  const { asked, material, weight } = sample;
  const { ranked } = inspectAnswer(pack.input.parse({ question: asked.question }), material, shippedFit);
  const parts = ranked
    .slice(0, 60)
    .map(({ answer, short, signs }) => ({ signs, right: gradeBoth(asked, answer, short) === "right" }));
  lists.set(sample, { weight, parts });
  return { weight, parts };
}

/** What makes the right part of a statement stand out among all others: gradient ascent on the chance that a softmax picks it. */
function fitRank(samples: Sample[]): Weights {
  const told = samples
    .map(listParts)
    .filter(({ parts }) => parts.some(({ right }) => right) && parts.some(({ right }) => !right));
  const names = Object.keys(told[0]?.parts[0]?.signs ?? {});
  const whole = told.reduce((sum, { weight }) => sum + weight, 0);
  let own = names.map(() => 0);
  const scoreOf = (signs: Signs): number =>
    names.reduce((sum, name, at) => sum + (own[at] ?? 0) * (signs[name] ?? 0), 0);
  for (let step = 0; step < learning.steps; step += 1) {
    const slopes = names.map(() => 0);
    for (const { weight, parts } of told) {
      const scores = parts.map(({ signs }) => scoreOf(signs));
      const most = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - most));
      const all = powers.reduce((sum, power) => sum + power, 0);
      const hit = Math.max(
        1e-9,
        parts.reduce((sum, { right }, at) => sum + (right ? (powers[at] ?? 0) : 0), 0),
      );
      for (const [at, { signs, right }] of parts.entries()) {
        const pull = ((right ? 1 / hit : 0) - 1 / all) * (powers[at] ?? 0) * (weight / whole);
        for (const [place, name] of names.entries()) slopes[place] = (slopes[place] ?? 0) + pull * (signs[name] ?? 0);
      }
    }
    own = names.map((name, at) =>
      clamp(name, (own[at] ?? 0) + learning.rate * ((slopes[at] ?? 0) - learning.penalty * (own[at] ?? 0))),
    );
  }
  // Scores are brought near the middle of the logistic curve, where differences can be seen.
  const best = told.map(({ parts }) => Math.max(...parts.map(({ signs }) => scoreOf(signs))));
  const bias = -best.reduce((sum, score) => sum + score, 0) / best.length;
  return { bias: round(bias), weights: Object.fromEntries(names.map((name, at) => [name, round(own[at] ?? 0)])) };
}

type Figures = Record<"right" | "wrong" | "sure" | "declined" | "refused", number>;

function emptyFigures(): Figures {
  return { right: 0, wrong: 0, sure: 0, declined: 0, refused: 0 };
}

function count(tops: Top[], fit: Fit): Figures {
  const figures = emptyFigures();
  for (const { signs, sample, right, isCapped } of tops) {
    const certainty = signs ? stateCertainty(scoreSigns(fit.certainty, signs), signs as Gate) : 0;
    if (certainty < 0.5) figures[sample.asked.answer === null ? "refused" : "declined"] += 1;
    else figures[right ? "right" : "wrong"] += 1;
    if (certainty > 0.6 && !right && !isCapped) figures.sure += 1;
  }
  return figures;
}

function describe({ right, wrong, sure, declined, refused }: Figures): string {
  return `right ${right}, wrong ${wrong} (above .6: ${sure}), declined ${declined}, rightly refused ${refused}`;
}

/** Gradient descent with a mild penalty on the weights. */
function fitLogistic(tops: Top[]): Weights {
  const told = tops.flatMap(({ sample, signs, right }) => (signs ? [{ weight: sample.weight, signs, right }] : []));
  const names = Object.keys(told[0]?.signs ?? {});
  const whole = told.reduce((sum, { weight }) => sum + weight, 0);
  const fit: Weights = { bias: 0, weights: Object.fromEntries(names.map((name) => [name, 0])) };
  for (let step = 0; step < learning.steps * 2; step += 1) {
    const errors = told.map(
      ({ signs, right, weight }) => ((scoreSigns(fit, signs) - (right ? 1 : 0)) * weight) / whole,
    );
    for (const name of names) {
      const slope = told.reduce((sum, { signs }, at) => sum + (errors[at] ?? 0) * (signs[name] ?? 0), 0);
      const own = fit.weights[name] ?? 0;
      fit.weights[name] = clamp(name, own - learning.rate * (slope + learning.penalty * own));
    }
    fit.bias -= errors.reduce((sum, error) => sum + error, 0);
  }
  const rounded = Object.entries(fit.weights).map(([name, weight]) => [name, round(weight)]);
  return { bias: round(fit.bias), weights: Object.fromEntries(rounded) };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
