import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { inspectAnswer, question as pack } from "../../src/packs/question/index.ts";
import { grade, readFolder } from "./measure-documents.ts";
import { readLines } from "./read-lines.ts";

type Asked = { question: string; answer: string | null; accept: string[]; reject?: string[] };
type Sample = { folder: string; signs: Record<string, number>; right: number };
type Fit = { bias: number; weights: Record<string, number> };

/** Fits the certainty of the reader on labelled folders, says how it does on each folder when fitted on the others, and writes the fit. */
export async function fitCertainty(examples: string, folders: Record<string, string>, out: string): Promise<void> {
  const samples: Sample[] = [];
  const names = Object.keys(folders);
  for (const [folder, file] of Object.entries(folders)) {
    const docs = readFolder(join(examples, folder));
    // What is asked of another folder has no answer here.
    const other = folders[names[(names.indexOf(folder) + 1) % names.length] ?? ""] ?? "";
    const strangers = readLines<Asked>(join(examples, other)).map((one) => ({ ...one, answer: null }));
    for (const asked of [...readLines<Asked>(join(examples, file)), ...strangers]) {
      const input = pack.input.parse({ question: asked.question, docs });
      const material = await pack.prepare(input, pack.config.parse({}), { embed: null });
      const found = inspectAnswer(input, material);
      if (found && found.trust > 0.9)
        samples.push({ folder, signs: found.signs, right: grade(asked, found.answer) === "right" ? 1 : 0 });
    }
  }
  for (const folder of Object.keys(folders)) {
    const fit = fitLogistic(samples.filter((one) => one.folder !== folder));
    const held = samples.filter((one) => one.folder === folder).map((one) => ({ ...one, p: predict(fit, one.signs) }));
    const said = held.filter(({ p }) => p >= 0.5);
    const brier = held.reduce((sum, { p, right }) => sum + (p - right) ** 2, 0) / held.length;
    const wrong = said.filter(({ right }) => right === 0);
    console.log(
      `${folder}: Brier ${brier.toFixed(3)}, answered ${said.length} of ${held.length}, wrong ${wrong.length} (above .6: ${wrong.filter(({ p }) => p > 0.6).length}), right but not said ${held.filter(({ p, right }) => p < 0.5 && right === 1).length}`,
    );
  }
  const fit = fitLogistic(samples);
  const about = `Logistic fit of right or wrong on the signs of an answer, on ${samples.length} questions of ${Object.keys(folders).join(", ")}; node bench/question.ts --fit writes it.`;
  writeFileSync(out, `${JSON.stringify({ about, fit: { ...fit, most: 0.95 } }, null, 2)}\n`);
}

/** Gradient descent with a mild penalty on the weights. */
function fitLogistic(samples: Sample[]): Fit {
  const names = Object.keys(samples[0]?.signs ?? {});
  const fit: Fit = { bias: 0, weights: Object.fromEntries(names.map((name) => [name, 0])) };
  const penalty = 0.01;
  for (let step = 0; step < 6_000; step += 1) {
    const errors = samples.map(({ signs, right }) => predict(fit, signs) - right);
    const mean = (of: (index: number) => number): number =>
      errors.reduce((sum, error, index) => sum + error * of(index), 0) / errors.length;
    const bias = mean(() => 1);
    for (const name of names)
      fit.weights[name] =
        (fit.weights[name] ?? 0) -
        0.5 * (mean((index) => samples[index]?.signs[name] ?? 0) + penalty * (fit.weights[name] ?? 0));
    fit.bias -= 0.5 * bias;
  }
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  return {
    bias: round(fit.bias),
    weights: Object.fromEntries(names.map((name) => [name, round(fit.weights[name] ?? 0)])),
  };
}

function predict({ bias, weights }: Fit, signs: Record<string, number>): number {
  const sum = Object.entries(weights).reduce((total, [name, weight]) => total + weight * (signs[name] ?? 0), bias);
  return 1 / (1 + Math.exp(-sum));
}
