import { createRandom, shuffle } from "../../../text/random.ts";
import type { Features } from "../reading/reading.ts";

/** The answers of a layer, in the order of its weights. */
export const labels = ["positive", "negative", "neutral"] as const;
export type Label = (typeof labels)[number];

/** What each feature adds for "positive" and for "negative", measured from "neutral". */
export type Weights = ReadonlyMap<string, readonly [positive: number, negative: number]>;

/** An aspect with its right answer; `weight` says how much it counts beside the others. */
export type Example = { features: Features; label: Label; weight: number };

/** How a layer is fitted. */
export type FitOptions = {
  passes: number;
  rate: number;
  /** How strongly a weight is pulled back to where it started. */
  pull: number;
  /** How many features may be learnt: those of one example never are, and the rarest go first. */
  most: number;
};

const defaults: FitOptions = { passes: 14, rate: 0.03, pull: 0.01, most: 50_000 };

/**
 * Fits a multinomial logistic regression by AdaGrad, which moves a weight less the more it has moved already. The
 * order of the examples is drawn from a fixed seed, so the same examples give the same weights. Weights start at
 * those of `base` and are pulled back to them: what the examples do not speak of stays as it was.
 */
export function fit(examples: readonly Example[], base: Weights, options: Partial<FitOptions> = {}): Weights {
  const { passes, rate, pull, most } = { ...defaults, ...options };
  const rows = indexExamples(examples, base, most);
  const random = createRandom(1);
  for (let pass = 0; pass < passes; pass += 1)
    for (const row of shuffle(rows.list, random)) takeStep(rows, row, rate, pull);
  const fitted = new Map(base);
  for (const [id, name] of rows.names.entries()) {
    const [positive = 0, negative = 0, neutral = 0] = rows.weights.subarray(id * size, (id + 1) * size);
    fitted.set(name, [positive - neutral, negative - neutral]);
  }
  return fitted;
}

const size = labels.length;

type Row = { ids: Int32Array; values: Float64Array; label: number; weight: number };
type Rows = { names: string[]; weights: Float64Array; start: Float64Array; moved: Float64Array; list: Row[] };

/** The features to learn: those that `base` has, and of the others those seen most often. */
function chooseFeatures(examples: readonly Example[], base: Weights, most: number): string[] {
  const seen = new Map<string, number>();
  for (const { features } of examples) for (const name of features.keys()) seen.set(name, (seen.get(name) ?? 0) + 1);
  const added = [...seen].filter(([name, count]) => count > 1 && !base.has(name));
  const room = Math.max(most / 10, most - base.size);
  let least = 2;
  while (added.filter(([, count]) => count >= least).length > room) least += 1;
  return [...seen].filter(([name, count]) => count >= least || base.has(name)).map(([name]) => name);
}

function indexExamples(examples: readonly Example[], base: Weights, most: number): Rows {
  const names = chooseFeatures(examples, base, most);
  const ids = new Map(names.map((name, id) => [name, id]));
  const start = new Float64Array(names.length * size);
  for (const [id, name] of names.entries()) start.set(base.get(name) ?? [], id * size);
  const list = examples.map(({ features, label, weight }): Row => {
    const known = [...features].filter(([name]) => ids.has(name));
    return {
      ids: Int32Array.from(known, ([name]) => ids.get(name) as number),
      values: Float64Array.from(known, ([, value]) => value),
      label: labels.indexOf(label),
      weight,
    };
  });
  return { names, weights: start.slice(), start, moved: new Float64Array(start.length).fill(1e-6), list };
}

function takeStep({ weights, start, moved }: Rows, row: Row, rate: number, pull: number): void {
  const { ids, values } = row;
  const scores = [0, 0, 0];
  for (let at = 0; at < ids.length; at += 1)
    for (let label = 0; label < size; label += 1)
      (scores[label] as number) += (weights[(ids[at] as number) * size + label] as number) * (values[at] as number);
  const shares = toShares(scores, 1);
  for (let label = 0; label < size; label += 1) {
    const error = row.weight * ((shares[label] as number) - (row.label === label ? 1 : 0));
    for (let at = 0; at < ids.length; at += 1) {
      const id = (ids[at] as number) * size + label;
      const slope = error * (values[at] as number) + pull * ((weights[id] as number) - (start[id] as number));
      (moved[id] as number) += slope * slope;
      (weights[id] as number) -= (rate * slope) / Math.sqrt(moved[id] as number);
    }
  }
}

/** What the weights say of an aspect, label by label, before it becomes shares. */
export function score(weights: Weights, features: Features): number[] {
  let [positive, negative] = [0, 0];
  for (const [name, value] of features) {
    const own = weights.get(name);
    if (own === undefined) continue;
    positive += own[0] * value;
    negative += own[1] * value;
  }
  return [positive, negative, 0];
}

/** Scores as shares that add up to one; the higher the temperature the more alike they are. */
export function toShares(scores: readonly number[], temperature: number): number[] {
  const top = Math.max(...scores);
  const powers = scores.map((one) => Math.exp((one - top) / temperature));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}
