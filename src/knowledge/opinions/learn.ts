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

/** A feature's weights for each label, those it started from, and how far they have moved. */
type Cell = { weights: number[]; start: readonly number[]; moved: number[]; pull: number };

/**
 * Fits a multinomial logistic regression by AdaGrad. The order of lessons comes from a fixed seed, so the same
 * lessons give the same weights. Weights start at those of `base` and are pulled back to them, so features absent
 * from the lessons stay unchanged.
 */
export function fit(lessons: readonly Lesson[], base: Weights): Weights {
  const isLarge = lessons.length > many;
  const all = lessons.flatMap(({ features, weight }) => [...features.keys()].map((name) => ({ name, weight })));
  const cells = new Map<string, Cell>();
  for (const [name, own] of Map.groupBy(all, (one) => one.name)) {
    const isRare = own.reduce((sum, { weight }) => sum + weight, 0) < 3;
    const start = [...(base.get(name) ?? [0, 0]), 0];
    const pull = (isLarge ? 5 : 0.5) / own.length;
    if (!isLarge || !isRare || base.has(name))
      cells.set(name, { weights: [...start], start, moved: labels.map(() => 1e-6), pull });
  }
  const rows = lessons.map(({ features, label, weight }) => {
    const known = [...features].flatMap(([name, value]) => {
      const cell = cells.get(name);
      return cell ? [{ cell, value }] : [];
    });
    return { known, label, weight };
  });
  const random = createRandom(1);
  for (let pass = 0; pass < passes; pass += 1)
    for (const row of shuffle(rows, random)) takeStep(row, isLarge ? 0.08 : 0.03);
  const fitted = new Map(base);
  for (const [name, { weights }] of cells) {
    const [positive = 0, negative = 0, neutral = 0] = weights;
    fitted.set(name, [positive - neutral, negative - neutral]);
  }
  return fitted;
}

type Row = { known: { cell: Cell; value: number }[]; label: Label; weight: number };

function takeStep({ known, label: right, weight }: Row, rate: number): void {
  const scores = [0, 0, 0];
  for (const { cell, value } of known)
    for (const [at, own] of cell.weights.entries()) (scores[at] as number) += own * value;
  const shares = toShares(scores, 1);
  for (const [at, label] of labels.entries()) {
    const error = weight * (shares[label] - (right === label ? 1 : 0));
    for (const { cell, value } of known) {
      const { weights, start, moved, pull } = cell;
      const slope = error * value + pull * ((weights[at] as number) - (start[at] as number));
      (moved[at] as number) += slope * slope;
      (weights[at] as number) -= (rate * slope) / Math.sqrt(moved[at] as number);
    }
  }
}
