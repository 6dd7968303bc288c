import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspectAnswer, question as pack } from "../../src/packs/question/index.ts";
import { segmentSentences } from "../../src/text/split-text.ts";
import { type Asked, gradeBoth, holds, readFolder } from "./measure-documents.ts";
import { readLines } from "./read-lines.ts";

/** An answer with its signs. `real` questions are counted; the others, whose answer is not in the documents, only teach. */
type Sample = {
  folder: string;
  signs: Record<string, number>;
  right: boolean;
  weight: number;
  real: Asked | null;
  isCapped: boolean;
};
type Fit = { bias: number; weights: Record<string, number> };
type Thresholds = { least: number; sure: number };
type Document = { id: string; text: string };

/** What a made-up unanswerable question weighs beside a real one. */
const madeUp = 0.25;
/** How many right answers there are for each wrong one, at least, among those that are given and among those above .6. */
const rightForWrong = { least: 40, sure: 60 };

/** Fits the certainty of the reader on labelled folders, says how it does on each folder when fitted on the others, and writes the fit. */
export async function fitCertainty(examples: string, folders: Record<string, string>, out: string): Promise<void> {
  const samples = await collectSamples(examples, folders);
  const real = samples.filter((one) => one.real !== null);
  const total = { right: 0, wrong: 0, sure: 0, refused: 0 };
  for (const folder of Object.keys(folders)) {
    const others = samples.filter((one) => one.folder !== folder);
    const fit = fitLogistic(others);
    const thresholds = chooseThresholds(others, fit);
    const held = real.filter((one) => one.folder === folder);
    const figures = count(held, { fit, ...thresholds }, readLines<Asked>(join(examples, folders[folder] ?? "")));
    console.log(`${folder.padEnd(12)} ${word(figures)}`);
    for (const key of Object.keys(total) as (keyof typeof total)[]) total[key] += figures[key];
  }
  console.log(`${"all".padEnd(12)} ${word(total)} (each folder fitted on the others)`);
  const fit = fitLogistic(samples);
  const about = `Logistic fit of right or wrong on the signs of an answer, on ${real.length} answers to questions of ${Object.keys(folders).join(", ")}, and as many again whose answer was taken out of the documents; node bench/question.ts --fit writes it.`;
  writeFileSync(
    out,
    `${JSON.stringify({ about, fit: { ...fit, ...roundAll(chooseThresholds(samples, fit)) } }, null, 2)}\n`,
  );
}

/** The answers to each folder's questions, to the same with their answers taken out, and to another folder's questions. */
async function collectSamples(examples: string, folders: Record<string, string>): Promise<Sample[]> {
  const samples: Sample[] = [];
  const names = Object.keys(folders);
  for (const [folder, file] of Object.entries(folders)) {
    const docs = readFolder(join(examples, folder));
    const other = folders[names[(names.indexOf(folder) + 1) % names.length] ?? ""] ?? "";
    const add = async (asked: Asked, from: Document[], real: Asked | null): Promise<void> => {
      const input = pack.input.parse({ question: asked.question, docs: from });
      const material = await pack.prepare(input, pack.config.parse({}), { embed: null });
      const found = inspectAnswer(input, material);
      if (!found || found.trust < 0.9) return;
      const right = gradeBoth(asked, found.answer, found.short) === "right";
      samples.push({ folder, signs: found.signs, right, weight: real ? 1 : madeUp, real, isCapped: found.isCapped });
    };
    for (const asked of readLines<Asked>(join(examples, file))) {
      await add(asked, docs, asked);
      if (asked.answer !== null && (asked.reject ?? []).length === 0 && asked.kind !== "superseded")
        await add({ ...asked, answer: null }, takeOut(docs, asked.accept), null);
    }
    for (const asked of readLines<Asked>(join(examples, other))) await add({ ...asked, answer: null }, docs, null);
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

/** The lowest score from which on there are so many right answers for each wrong one; those that are capped anyway are not counted for `sure`. */
function chooseThresholds(samples: Sample[], fit: Fit): Thresholds {
  const scored = samples.map((one) => ({ ...one, p: predict(fit, one.signs) }));
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
    scored.filter(({ real }) => real),
    rightForWrong.least,
  );
  const uncapped = scored.filter(({ isCapped }) => !isCapped);
  return { least, sure: Math.max(least, find(uncapped, rightForWrong.sure)) };
}

type Figures = Record<"right" | "wrong" | "sure" | "refused", number>;

function count(held: Sample[], { fit, least, sure }: Thresholds & { fit: Fit }, questions: Asked[]): Figures {
  const said = held.map((one) => ({ ...one, p: predict(fit, one.signs) })).filter(({ p }) => p >= least);
  const wrong = said.filter(({ right }) => !right);
  const silent = questions.filter(({ question }) => !said.some(({ real }) => real?.question === question));
  const rightlySilent = silent.filter(({ answer }) => answer === null).length;
  return {
    right: said.length - wrong.length + rightlySilent,
    wrong: wrong.length,
    sure: wrong.filter(({ p, isCapped }) => p > sure && !isCapped).length,
    refused: silent.length - rightlySilent,
  };
}

function word({ right, wrong, sure, refused }: Figures): string {
  return `right ${right}, wrong ${wrong} (above .6: ${sure}), refused ${refused}`;
}

/** Gradient descent with a mild penalty on the weights. */
function fitLogistic(samples: Sample[]): Fit {
  const names = Object.keys(samples[0]?.signs ?? {});
  const fit: Fit = { bias: 0, weights: Object.fromEntries(names.map((name) => [name, 0])) };
  const penalty = 0.003;
  const whole = samples.reduce((sum, { weight }) => sum + weight, 0);
  for (let step = 0; step < 2_000; step += 1) {
    const errors = samples.map(({ signs, right, weight }) => (predict(fit, signs) - (right ? 1 : 0)) * weight);
    const mean = (of: (index: number) => number): number =>
      errors.reduce((sum, error, index) => sum + error * of(index), 0) / whole;
    const bias = mean(() => 1);
    for (const name of names)
      fit.weights[name] =
        (fit.weights[name] ?? 0) -
        1 * (mean((index) => samples[index]?.signs[name] ?? 0) + penalty * (fit.weights[name] ?? 0));
    fit.bias -= bias;
  }
  return { bias: round(fit.bias), weights: roundAll(fit.weights) };
}

function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}

function roundAll<K extends string>(values: Record<K, number>): Record<K, number> {
  return Object.fromEntries(Object.entries<number>(values).map(([name, value]) => [name, round(value)])) as Record<
    K,
    number
  >;
}

function predict({ bias, weights }: Fit, signs: Record<string, number>): number {
  const sum = Object.entries(weights).reduce((total, [name, weight]) => total + weight * (signs[name] ?? 0), bias);
  return 1 / (1 + Math.exp(-sum));
}
