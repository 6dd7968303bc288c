/** Learning: labelled texts become lessons, a layer is fitted on them and measured on unseen texts. */
import { createHash } from "node:crypto";
import { ParleyError } from "../../contract/error.ts";
import { createRandom, deriveSeed, shuffle } from "../../text/random.ts";
import {
  type Label,
  labels,
  type Layer,
  parseLayer,
  pickLabel,
  printLayer,
  score,
  type Shares,
  toShares,
  type Weights,
} from "./layer.ts";
import { readerOf } from "./reader.ts";
import type { LanguageCode } from "./reading/language.ts";
import type { Features, Span } from "./reading/reading.ts";

export type LabelledText = { text: string; aspects: { span: Span; polarity: Label }[] };

/** An aspect with its right answer and relative weight. */
export type Lesson = { text: string; features: Features; label: Label; weight: number };

export function makeLessons(texts: readonly LabelledText[], language: LanguageCode): Lesson[] {
  return texts.flatMap(({ text, aspects }) => {
    const spans = aspects.map(({ span }) => span);
    const readings = readerOf(language).read(text, spans);
    return aspects.map(({ polarity: label }, at): Lesson => {
      return { text, features: readings[at]?.describe() ?? new Map<string, number>(), label, weight: 1 };
    });
  });
}

export function digestText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** A fitted layer, with each lesson's answer by a layer fitted on the other folds. */
export type Learnt = { layer: Layer; text: string; answers: Answer[] };

export const fewestLessons = 30;

/** Without a base, a layer starts from the readings. */
const readings: Weights = new Map(
  ["near", "scoped"].flatMap((reading): [string, [number, number]][] => [
    [`${reading} positive`, [1, -1]],
    [`${reading} negative`, [-1, 1]],
    [`${reading} neutral`, [-1, -1]],
    [`${reading} none`, [-1, -1]],
  ]),
);

type LearnOptions = { language: LanguageCode; base: Layer | null; sources: Layer["sources"] };

/** Fits a layer, starting from `base` if given, and calibrates it by cross-validation. */
export function learnLayer(lessons: readonly Lesson[], { language, base, sources }: LearnOptions): Learnt {
  if (lessons.length < fewestLessons)
    throw new ParleyError(
      "bad_input",
      `a layer needs at least ${fewestLessons} labelled aspects to learn from, not ${lessons.length}`,
    );
  if (new Set(lessons.map((lesson) => lesson.label)).size < 2)
    throw new ParleyError("bad_input", `every aspect has the label "${lessons[0]?.label}": there is nothing to learn`);
  const start = base?.weights ?? readings;
  const { temperature, answers } = crossValidate(lessons, start);
  const text = printLayer({
    language,
    sources: [...(base?.sources ?? []), ...sources],
    accuracy: measureAccuracy(answers),
    temperature,
    seen: new Set([...(base?.seen ?? []), ...lessons.map((lesson) => digestText(lesson.text))]),
    weights: fit(lessons, start),
  });
  return { layer: parseLayer(text, "the layer"), text, answers };
}

export type Answer = { said: Label; right: boolean };

export function judgeShares(shares: Shares, label: Label): Answer {
  const said = pickLabel(shares);
  return { said, right: said === label };
}

export function measureAccuracy(answers: readonly Answer[]): number {
  const right = answers.filter((one) => one.right).length;
  return Math.round((10_000 * right) / Math.max(1, answers.length)) / 10_000;
}

const folds = 5;

/** Answers of layers fitted on the other folds, and the temperature that calibrates them; a text is never split. */
function crossValidate(lessons: readonly Lesson[], base: Weights): { temperature: number; answers: Answer[] } {
  const foldOf = ({ text }: Lesson) => deriveSeed(text) % folds;
  const fitted = Array.from({ length: folds }, (_, fold) =>
    fit(
      lessons.filter((lesson) => foldOf(lesson) !== fold),
      base,
    ),
  );
  const scored = lessons.map((lesson) => {
    return { ...lesson, scores: score(fitted[foldOf(lesson)] as Weights, lesson.features) };
  });
  /** The temperature that minimises the log loss. */
  const surprise = (temperature: number) =>
    scored.reduce((total, { scores, label, weight }) => {
      return total - weight * Math.log(Math.max(1e-9, toShares(scores, temperature)[label]));
    }, 0);
  const candidates = Array.from({ length: 61 }, (_, step) => 0.4 * 1.05 ** step);
  const losses = candidates.map(surprise);
  const temperature = Math.round((candidates[losses.indexOf(Math.min(...losses))] ?? 1) * 1000) / 1000;
  return {
    temperature,
    answers: scored.map(({ scores, label }) => judgeShares(toShares(scores, temperature), label)),
  };
}

/** With many lessons, rare features are skipped, steps are larger and regularisation is stronger. */
const many = 6000;
const passes = 14;
const size = labels.length;

/**
 * Fits a multinomial logistic regression by AdaGrad. The order of lessons comes from a fixed seed, so the same
 * lessons give the same weights. Weights start at those of `base` and are pulled back to them, so features absent
 * from the lessons stay unchanged.
 */
export function fit(lessons: readonly Lesson[], base: Weights): Weights {
  const isLarge = lessons.length > many;
  const seen = new Map<string, { count: number; weight: number }>();
  for (const { features, weight } of lessons)
    for (const name of features.keys()) {
      const before = seen.get(name) ?? { count: 0, weight: 0 };
      seen.set(name, { count: before.count + 1, weight: before.weight + weight });
    }
  const chosen = [...seen].filter(([name, { weight }]) => !isLarge || weight >= 3 || base.has(name));
  const ids = new Map(chosen.map(([name], id) => [name, id * size]));
  const start = new Float64Array(chosen.length * size);
  const pulls = new Float64Array(chosen.length * size);
  for (const [id, [name, { count }]] of chosen.entries()) {
    start.set(base.get(name) ?? [], id * size);
    pulls.fill((isLarge ? 5 : 0.5) / count, id * size, (id + 1) * size);
  }
  const model = {
    rate: isLarge ? 0.08 : 0.03,
    weights: start.slice(),
    start,
    pulls,
    moved: new Float64Array(start.length).fill(1e-6),
  };
  const rows = lessons.map(({ features, label, weight }): Row => {
    const known = [...features].filter(([name]) => ids.has(name));
    return {
      ids: Int32Array.from(known, ([name]) => ids.get(name) as number),
      values: Float64Array.from(known, ([, value]) => value),
      label,
      weight,
    };
  });
  const random = createRandom(1);
  for (let pass = 0; pass < passes; pass += 1) for (const row of shuffle(rows, random)) takeStep(model, row);
  const fitted = new Map(base);
  for (const [id, [name]] of chosen.entries()) {
    const [positive = 0, negative = 0, neutral = 0] = model.weights.subarray(id * size, (id + 1) * size);
    fitted.set(name, [positive - neutral, negative - neutral]);
  }
  return fitted;
}

type Row = { ids: Int32Array; values: Float64Array; label: Label; weight: number };
type Model = { rate: number; weights: Float64Array; start: Float64Array; pulls: Float64Array; moved: Float64Array };

function takeStep({ rate, weights, start, pulls, moved }: Model, { ids, values, label: right, weight }: Row): void {
  const scores = [0, 0, 0];
  for (let at = 0; at < ids.length; at += 1)
    for (let label = 0; label < size; label += 1)
      (scores[label] as number) += (weights[(ids[at] as number) + label] as number) * (values[at] as number);
  const shares = toShares(scores, 1);
  for (const [index, label] of labels.entries()) {
    const error = weight * (shares[label] - (right === label ? 1 : 0));
    for (let at = 0; at < ids.length; at += 1) {
      const id = (ids[at] as number) + index;
      const back = (pulls[id] as number) * ((weights[id] as number) - (start[id] as number));
      const slope = error * (values[at] as number) + back;
      (moved[id] as number) += slope * slope;
      (weights[id] as number) -= (rate * slope) / Math.sqrt(moved[id] as number);
    }
  }
}
