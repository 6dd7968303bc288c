import type { PrepareTools } from "../../src/engine/pack.ts";
import {
  type Fit,
  inspectAnswer,
  question as pack,
  scoreSigns,
  stateCertainty,
} from "../../src/packs/question/index.ts";
import { segmentSentences } from "../../src/text/split-text.ts";
import { type Asked, gradeBoth, holds, readFolder, readQuestions } from "./measure-documents.ts";

type Signs = Record<string, number>;
type Linear = Fit["rank"];
type Document = { id: string; text: string };
/** A question on a folder; those that are not `real` have no answer there and only teach. */
type Sample = {
  folder: string;
  asked: Asked;
  isReal: boolean;
  weight: number;
  parts: { signs: Signs; right: boolean }[];
  choose: ReturnType<typeof inspectAnswer>["choose"];
};
/** The best answer to a question, with its signs; without signs where there is none. */
type Top = { sample: Sample; signs: Signs | null; right: boolean; isCapped: boolean; said: string | null };

/** The folders are parted, and each part is measured with what was fitted on the others. */
const parts = 10;
const madeUp = 0.4;
const natural = 2;

type Folders = Record<string, { path: string; questions: string }>;
type Embed = PrepareTools["embed"];

/**
 * Fits how the reader ranks and how certain it is on labelled folders, and says how it does on each folder when it was
 * fitted on others; `sets` names the set of each folder.
 */
export async function fitCertainty(folders: Folders, sets: Record<string, string>, embed: Embed): Promise<Fit> {
  const samples = await collectSamples(folders, embed);
  const all: { top: Top; chance: number }[] = [];
  const names = Object.keys(folders);
  for (let part = 0; part < parts; part += 1) {
    const own = names.filter((_, at) => at % parts === part);
    const fit = fitAll(samples.filter(({ folder }) => !own.includes(folder)));
    const tops = samples
      .filter(({ folder, isReal }) => isReal && own.includes(folder))
      .map((sample) => inspect(sample, fit))
      .map((top) => ({ top, chance: top.signs ? scoreSigns(fit.certainty, top.signs) : 0 }));
    all.push(...tops);
  }
  const groups = Map.groupBy(all, ({ top: { sample } }) =>
    isNatural(sample) ? "other words" : (sets[sample.folder] ?? "own"),
  );
  for (const [name, tops] of [...groups, ["all", all] as const])
    console.log(`${name.padEnd(16)} ${describe(tops)}\n${describeCurve(tops)}`);
  console.log(`(fitted on the folders of the other ${parts - 1} parts)`);
  if (process.env.LIST)
    for (const { top, chance } of all.toSorted((a, b) => b.chance - a.chance))
      console.log(
        `${top.right ? "right" : "WRONG"} ${chance.toFixed(2)} ${top.sample.folder} ${top.sample.asked.id} ${top.sample.asked.kind} | ${top.sample.asked.question} → ${top.said ?? "–"} (${top.sample.asked.answer ?? "none"})`,
      );
  return fitAll(samples);
}

/** True for a question that was worded without the documents' words. */
function isNatural({ asked: { id } }: Pick<Sample, "asked">): boolean {
  return /^(?:P|VT|CH|BW|MH|NU|BI|MO|NS)/.test(id);
}

/** The questions of each folder, the same with their answers taken out, and another folder's questions. */
async function collectSamples(folders: Folders, embed: Embed): Promise<Sample[]> {
  const all = Object.entries(folders);
  const samples: Sample[] = [];
  for (const [at, [folder, { path, questions }]] of all.entries()) {
    const docs = await readFolder(path);
    const add = async (asked: Asked, from: Document[], isReal: boolean): Promise<void> => {
      const input = pack.input.parse({ question: asked.question, docs: from });
      const { parts, choose } = inspectAnswer(input, await pack.prepare(input, pack.config.parse({}), { embed }));
      const graded = parts
        .toSorted((a, b) => guess(b.signs) - guess(a.signs))
        .slice(0, 40)
        .map(({ answer, short, signs }) => ({
          signs,
          right: asked.answer !== null && gradeBoth(asked, answer, short) === "right",
        }));
      const weight = (isReal ? 1 : madeUp) * (isNatural({ asked }) ? natural : 1);
      samples.push({ folder, asked, isReal, weight, parts: graded, choose });
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

function guess({ own, above, meaning, typed }: Signs): number {
  return (own ?? 0) + (above ?? 0) + (meaning ?? 0) + 0.5 * (typed ?? 0);
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
  const tops = samples.map((sample) => inspect(sample, { rank, certainty: rank }));
  return { rank, certainty: fitChance(tops) };
}

function inspect(sample: Sample, fit: Fit): Top {
  const found = sample.choose(fit);
  if (found === null || found.statement.trust < 0.9)
    return { sample, signs: null, right: false, isCapped: false, said: null };
  const right = gradeBoth(sample.asked, found.answer, found.short) === "right";
  return { sample, signs: found.all, right, isCapped: found.isCapped, said: found.answer };
}

/** Signs that can only speak for an answer, and those that can only speak against it: few questions could teach otherwise by chance. */
const directions: Record<string, 1 | -1> = Object.fromEntries([
  ..."own above beside meaning similar near typed first score margin".split(" ").map((name) => [name, 1]),
  ..."untyped names unknown".split(" ").map((name) => [name, -1]),
]);

/** Gradient ascent with a mild penalty (Adam), the signs kept to their directions; `slope` gives the slope of what is maximised. */
function climb(names: string[], penalty: number, slope: (own: number[]) => number[]): number[] {
  const own = names.map(() => 0);
  const [first, second] = [names.map(() => 0), names.map(() => 0)];
  for (let step = 1; step <= 300; step += 1)
    for (const [at, raw] of slope(own).entries()) {
      const pull = raw - (names[at] === "" ? 0 : penalty) * (own[at] ?? 0);
      first[at] = 0.9 * (first[at] ?? 0) + 0.1 * pull;
      second[at] = 0.999 * (second[at] ?? 0) + 0.001 * pull * pull;
      const next =
        (own[at] ?? 0) +
        (0.05 * ((first[at] ?? 0) / (1 - 0.9 ** step))) / (Math.sqrt((second[at] ?? 0) / (1 - 0.999 ** step)) + 1e-8);
      const direction = directions[names[at] ?? ""];
      own[at] = direction === undefined || next * direction > 0 ? next : 0;
    }
  return own;
}

/** What makes the right part of a statement stand out among all others: the chance that a softmax picks it. */
function fitRank(samples: Sample[]): Linear {
  const lists = samples.filter(({ parts }) => parts.some(({ right }) => right) && parts.some(({ right }) => !right));
  const names = Object.keys(lists[0]?.parts[0]?.signs ?? {});
  const whole = lists.reduce((sum, { weight }) => sum + weight, 0);
  const rows = lists.map(({ parts, weight }) => ({
    share: weight / whole,
    row: parts.map(({ signs, right }) => ({ right, values: names.map((name) => signs[name] ?? 0) })),
  }));
  const own = climb(names, 0.002, (weights) => {
    const slopes = names.map(() => 0);
    for (const { row, share } of rows) {
      const scores = row.map(({ values }) => dot(values, weights));
      const most = Math.max(...scores);
      const powers = scores.map((score) => Math.exp(score - most));
      const all = powers.reduce((sum, power) => sum + power, 0);
      const hit = row.reduce((sum, { right }, at) => sum + (right ? (powers[at] ?? 0) : 0), 1e-9);
      for (const [at, { right, values }] of row.entries()) {
        const pull = ((right ? 1 / hit : 0) - 1 / all) * (powers[at] ?? 0) * share;
        for (const [place, value] of values.entries()) slopes[place] = (slopes[place] ?? 0) + pull * value;
      }
    }
    return slopes;
  });
  // Scores are brought near the middle of the logistic curve, where differences can be seen.
  const best = rows.map(({ row }) => Math.max(...row.map(({ values }) => dot(values, own))));
  const bias = -best.reduce((sum, score) => sum + score, 0) / best.length;
  return toLinear(names, own, bias);
}

/** The chance that the best answer is right. */
function fitChance(tops: Top[]): Linear {
  const given = tops.flatMap(({ sample, signs, right }) => (signs ? [{ weight: sample.weight, signs, right }] : []));
  const names = [...Object.keys(given[0]?.signs ?? {}), ""];
  const whole = given.reduce((sum, { weight }) => sum + weight, 0);
  const rows = given.map(({ signs, right, weight }) => ({
    right,
    weight: weight / whole,
    values: names.map((name) => (name === "" ? 1 : (signs[name] ?? 0))),
  }));
  const own = climb(names, 0.002, (weights) => {
    const slopes = names.map(() => 0);
    for (const { right, weight, values } of rows) {
      const pull = weight * ((right ? 1 : 0) - 1 / (1 + Math.exp(-dot(values, weights))));
      for (const [place, value] of values.entries()) slopes[place] = (slopes[place] ?? 0) + pull * value;
    }
    return slopes;
  });
  return toLinear(names.slice(0, -1), own, own.at(-1) ?? 0);
}

function dot(a: readonly number[], b: readonly number[]): number {
  let sum = 0;
  for (let at = 0; at < a.length; at += 1) sum += (a[at] ?? 0) * (b[at] ?? 0);
  return sum;
}

function toLinear(names: string[], own: number[], bias: number): Linear {
  const round = (value: number): number => Math.round(value * 1000) / 1000;
  return { bias: round(bias), weights: Object.fromEntries(names.map((name, at) => [name, round(own[at] ?? 0)])) };
}

function describe(tops: { top: Top; chance: number }[]): string {
  const figures = { right: 0, wrong: 0, sure: 0, declined: 0, refused: 0, best: 0 };
  for (const { top, chance } of tops) {
    const certainty = stateCertainty(chance);
    const isOpen = top.sample.asked.answer === null;
    if (top.right) figures.best += 1;
    if (certainty < 0.5) figures[isOpen ? "refused" : "declined"] += 1;
    else figures[top.right ? "right" : "wrong"] += 1;
    if (certainty > 0.6 && !top.right && !top.isCapped) figures.sure += 1;
  }
  const { right, wrong, sure, declined, refused, best } = figures;
  return `right ${right}, wrong ${wrong} (above .6: ${sure}), declined ${declined}, rightly refused ${refused}; best candidate right ${best}`;
}

/** How many are right by the time so many are wrong, from the surest down. */
function describeCurve(tops: { top: Top; chance: number }[]): string {
  let [right, wrong] = [0, 0];
  const points: string[] = [];
  for (const { top, chance } of tops.toSorted((a, b) => b.chance - a.chance)) {
    if (top.right) right += 1;
    else if ([1, 3, 6, 10, 15, 20, 30].includes(++wrong))
      points.push(`${right} right at ${wrong} wrong (${chance.toFixed(2)})`);
  }
  return points.join(", ");
}
