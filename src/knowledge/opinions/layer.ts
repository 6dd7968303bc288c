/** The learnt layer: a linear model over the features of an aspect, how it is fitted, and its file. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { isRecord } from "../../text/json.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import { listAspectFeatures } from "./features.ts";
import type { LanguageCode } from "./reading/language.ts";
import type { Features, Reading } from "./reading/reading.ts";

export const labels = ["positive", "negative", "neutral"] as const;
export type Label = (typeof labels)[number];

/** The shares of the three polarities that a layer gives an aspect. */
export type Shares = Record<Label, number>;

/** What each feature adds for "positive" and for "negative", measured from "neutral". */
export type Weights = ReadonlyMap<string, readonly [positive: number, negative: number]>;

export type Example = { features: Features; label: Label; weight: number };

const many = 2000;
const passes = 14;
const rate = 0.03;

/**
 * Fits a multinomial logistic regression by AdaGrad, which moves a weight less the more it has moved already. The
 * order of the examples is drawn from a fixed seed, so the same examples give the same weights. Weights start at
 * those of `base` and are pulled back to them: what the examples do not speak of stays as it was.
 */
export function fit(examples: readonly Example[], base: Weights): Weights {
  const isLarge = examples.length > many;
  const chosen = chooseFeatures(examples, base, isLarge ? 3 : 1);
  const names = [...chosen.keys()];
  const ids = new Map(names.map((name, id) => [name, id * size]));
  const start = new Float64Array(names.length * size);
  const pulls = new Float64Array(names.length * size);
  for (const [id, name] of names.entries()) {
    start.set(base.get(name) ?? [], id * size);
    pulls.fill((isLarge ? 5 : 0.5) / (chosen.get(name) as number), id * size, (id + 1) * size);
  }
  const model = { weights: start.slice(), start, pulls, moved: new Float64Array(start.length).fill(1e-6) };
  const rows = examples.map(({ features, label, weight }): Row => {
    const known = [...features].filter(([name]) => ids.has(name));
    return {
      ids: Int32Array.from(known, ([name]) => ids.get(name) as number),
      values: Float64Array.from(known, ([, value]) => value),
      label: labels.indexOf(label),
      weight,
    };
  });
  const random = createRandom(1);
  for (let pass = 0; pass < passes; pass += 1) for (const row of shuffle(rows, random)) takeStep(model, row);
  const fitted = new Map(base);
  for (const [id, name] of names.entries()) {
    const [positive = 0, negative = 0, neutral = 0] = model.weights.subarray(id * size, (id + 1) * size);
    fitted.set(name, [positive - neutral, negative - neutral]);
  }
  return fitted;
}

const size = labels.length;

type Row = { ids: Int32Array; values: Float64Array; label: number; weight: number };
type Model = { weights: Float64Array; start: Float64Array; pulls: Float64Array; moved: Float64Array };

function chooseFeatures(examples: readonly Example[], base: Weights, least: number): Map<string, number> {
  const seen = new Map<string, number>();
  for (const { features } of examples) for (const name of features.keys()) seen.set(name, (seen.get(name) ?? 0) + 1);
  return new Map([...seen].filter(([name, count]) => count >= least || base.has(name)));
}

function takeStep({ weights, start, pulls, moved }: Model, { ids, values, label: right, weight }: Row): void {
  const scores = [0, 0, 0];
  for (let at = 0; at < ids.length; at += 1)
    for (let label = 0; label < size; label += 1)
      (scores[label] as number) += (weights[(ids[at] as number) + label] as number) * (values[at] as number);
  const shares = toShares(scores, 1);
  for (let label = 0; label < size; label += 1) {
    const error = weight * ((shares[label] as number) - (right === label ? 1 : 0));
    for (let at = 0; at < ids.length; at += 1) {
      const id = (ids[at] as number) + label;
      const back = (pulls[id] as number) * ((weights[id] as number) - (start[id] as number));
      const slope = error * (values[at] as number) + back;
      (moved[id] as number) += slope * slope;
      (weights[id] as number) -= (rate * slope) / Math.sqrt(moved[id] as number);
    }
  }
}

export function score(weights: Weights, features: Features): number[] {
  let [positive, negative] = [0, 0];
  for (const [name, value] of features) {
    const [praise, blame] = weights.get(name) ?? [0, 0];
    positive += praise * value;
    negative += blame * value;
  }
  return [positive, negative, 0];
}

export function toShares(scores: readonly number[], temperature: number): number[] {
  const top = Math.max(...scores);
  const powers = scores.map((one) => Math.exp((one - top) / temperature));
  const sum = powers.reduce((total, power) => total + power, 0);
  return powers.map((power) => power / sum);
}

/** Tens of thousands of pairs are looked at by hand: a schema for each would take most of the time that a text takes. */
function isWeights(value: unknown): value is Record<string, [number, number]> {
  if (!isRecord(value)) return false;
  for (const name in value) {
    const pair = value[name];
    if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(Number.isFinite)) return false;
  }
  return true;
}

const Count = z.int().nonnegative();
const Figure = z.number().min(0).max(1);

const LayerSchema = z.strictObject({
  format: z.literal("parley-opinion-layer"),
  version: z.literal(2),
  language: z.enum(["en", "ko"]),
  sources: z.array(z.strictObject({ name: z.string(), licence: z.string().nullable(), texts: Count, aspects: Count })),
  examples: z.strictObject({ named: Count, implicit: Count }),
  figures: z.strictObject({ accuracy: Figure, macro_f1: Figure }),
  temperature: z.number().positive(),
  /** Short digests of the texts it was fitted on, so that nobody measures it on those. */
  seen: z.array(z.string()),
  /** In hundredths. */
  weights: z.custom<Record<string, [number, number]>>(isWeights, "weights are pairs of numbers, each under its name"),
});

export type Layer = Omit<z.infer<typeof LayerSchema>, "format" | "version" | "weights" | "seen"> & {
  weights: Weights;
  seen: ReadonlySet<string>;
};

export function weighFeatures(layer: Layer, features: Features): Shares {
  const [positive = 0, negative = 0, neutral = 0] = toShares(score(layer.weights, features), layer.temperature);
  return { positive, negative, neutral };
}

export function pickLabel(shares: Shares): Label {
  return labels.reduce((best, label) => (shares[label] > shares[best] ? label : best));
}

export function parseLayer(text: string, path: string): Layer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `${path}: a learnt layer is a JSON file, and this is not one`, { cause });
  }
  const parsed = LayerSchema.safeParse(value);
  if (!parsed.success)
    throw new ParleyError(
      "bad_input",
      `${path}: this is not a learnt layer that Parley can read (${parsed.error.issues[0]?.message}); \`parley sentiment learn\` writes one`,
    );
  const { format: _format, version: _version, weights, seen, ...rest } = parsed.data;
  const read = new Map<string, [number, number]>();
  for (const name in weights) {
    const [positive, negative] = weights[name] as [number, number];
    read.set(name, [positive / 100, negative / 100]);
  }
  return { ...rest, weights: read, seen: new Set(seen) };
}

const weakest = 5;

export function printLayer({ weights, seen, ...rest }: Layer): string {
  const head = { format: "parley-opinion-layer", version: 2, ...rest, seen: [...seen].sort() };
  const lines = [...weights]
    .map(([name, own]) => [name, own.map((value) => Math.round(value * 100) || 0)] as const)
    .filter(([, own]) => own.some((value) => Math.abs(value) >= weakest))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, own]) => `${JSON.stringify(name)}:[${own.join()}]`);
  return `${JSON.stringify(head).slice(0, -1)},"weights":{\n${lines.join(",\n")}\n}}\n`;
}

export function digestLayer(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** Which layer each language is read with: "default", "off", or a file, with "#" and its digest where it must not change. */
export type LayerNames = Record<LanguageCode, string>;

export const defaultLayers: LayerNames = { en: "default", ko: "default" };

let inUse: LayerNames = defaultLayers;

/** Reads with other layers for as long as `work` runs; work that goes on later would read with the old ones, so it must not. */
export function readWith<T>(names: LayerNames, work: () => T): T {
  const before = inUse;
  inUse = names;
  try {
    return work();
  } finally {
    inUse = before;
  }
}

/** The layer that a language is read with; null when it has none. */
export function findLayer(language: LanguageCode): Layer | null {
  return openLayer(inUse[language], language);
}

const folder = new URL("../../../data/sentiment/", import.meta.url);
const held = new Map<string, Layer>();

export function openLayer(name: string, language: LanguageCode): Layer | null {
  if (name === "off") return null;
  const [, file = name, digest = null] = /^(.*)#([0-9a-f]{16})$/.exec(name) ?? [];
  const ships = name === "default";
  const path = ships ? fileURLToPath(new URL(`${language}/layer.json`, folder)) : file;
  const key = ships ? `${name} ${language}` : `${name} ${readStamp(path)}`;
  const known = held.get(key);
  if (known !== undefined) return known;
  const text = readFileSync(path, "utf8");
  if (digest !== null && digestLayer(text) !== digest)
    throw new ParleyError("bad_config", `${path} has changed since it was chosen; name it again without "#${digest}"`);
  const layer = parseLayer(text, path);
  if (layer.language !== language)
    throw new ParleyError("bad_config", `${path} was learnt from ${layer.language} texts and cannot read ${language}`);
  if (held.size >= 4) held.clear();
  held.set(key, layer);
  return layer;
}

function readStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return `${found.mtimeMs} ${found.size}`;
  throw new ParleyError("bad_config", `${path}: there is no such file; give a layer, "default" or "off"`);
}

export type LearntReading = Reading & { shares: Shares; label: Label; met: boolean };

const sureAlone = 0.6;

export function readLearnt(
  layer: Layer,
  { near, scoped, isNamed }: { near: Reading; scoped: Reading; isNamed: boolean },
  places: readonly Features[],
): LearntReading {
  const all = places.map((features) => weighFeatures(layer, features));
  const mean = (label: Label) => all.reduce((sum, one) => sum + one[label], 0) / all.length;
  const shares = { positive: mean("positive"), negative: mean("negative"), neutral: mean("neutral") };
  const label = pickLabel(shares);
  const support = [near, scoped].find((reading) => reading.polarity === label) ?? null;
  const aspect = near.opinions.length === 0 ? near.evidence : scoped.evidence;
  return {
    label,
    shares,
    met: places.some((features) => listAspectFeatures(features).some((name) => layer.weights.has(name))),
    polarity: support === null && (label === "neutral" || (!isNamed && shares[label] < sureAlone)) ? null : label,
    value: 3 * (shares.positive - shares.negative),
    confidence: shares[label],
    opinions: support?.opinions ?? [],
    evidence: support?.evidence ?? aspect,
    via: "learnt",
  };
}
