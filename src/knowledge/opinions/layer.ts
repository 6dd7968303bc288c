/** The learnt layer: a linear model over the features of an aspect, and its file. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { isRecord } from "../../text/json.ts";
import type { LanguageCode } from "./reading/language.ts";
import type { Features } from "./reading/reading.ts";

export const labels = ["positive", "negative", "neutral"] as const;
export type Label = (typeof labels)[number];
export type Shares = Record<Label, number>;

/** Weights of each feature for "positive" and "negative", relative to "neutral". */
export type Weights = ReadonlyMap<string, readonly [positive: number, negative: number]>;

export function score(weights: Weights, features: Features): number[] {
  let [positive, negative] = [0, 0];
  for (const [name, value] of features) {
    const [praise, blame] = weights.get(name) ?? [0, 0];
    positive += praise * value;
    negative += blame * value;
  }
  return [positive, negative, 0];
}

export function toShares(scores: readonly number[], temperature: number): Shares {
  const top = Math.max(...scores);
  const [positive = 0, negative = 0, neutral = 0] = scores.map((one) => Math.exp((one - top) / temperature));
  const sum = positive + negative + neutral;
  return { positive: positive / sum, negative: negative / sum, neutral: neutral / sum };
}

const Count = z.int().nonnegative();

const LayerSchema = z.strictObject({
  format: z.literal("parley-opinion-layer"),
  version: z.literal(3),
  language: z.enum(["en", "ko"]),
  sources: z.array(z.strictObject({ name: z.string(), licence: z.string().nullable(), texts: Count, aspects: Count })),
  /** Cross-validated on its training texts. */
  accuracy: z.number().min(0).max(1),
  temperature: z.number().positive(),
  /** Digests of its training texts, so that it is not measured on them. */
  seen: z.array(z.string()),
  /** In hundredths; checked by hand, as a schema for tens of thousands of pairs would take most of the time per text. */
  weights: z.custom<Record<string, unknown>>(isRecord, "the weights are missing"),
});

export type Layer = Omit<z.infer<typeof LayerSchema>, "format" | "version" | "weights" | "seen"> & {
  weights: Weights;
  seen: ReadonlySet<string>;
};

export function weighFeatures(layer: Layer, features: Features): Shares {
  return toShares(score(layer.weights, features), layer.temperature);
}

export function pickLabel(shares: Shares): Label {
  return labels.reduce((best, label) => (shares[label] > shares[best] ? label : best));
}

export function parseLayer(text: string, path: string): Layer {
  const refuse = (why: string, cause?: unknown) =>
    new ParleyError("bad_input", `${path} is not a learnt layer (${why}); \`parley sentiment learn\` writes one`, {
      cause,
    });
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw refuse("it is not JSON", cause);
  }
  const parsed = LayerSchema.safeParse(value);
  if (!parsed.success) throw refuse(parsed.error.issues[0]?.message ?? "");
  const { format: _format, version: _version, weights, seen, ...rest } = parsed.data;
  const read = new Map<string, [number, number]>();
  for (const name in weights) {
    const pair = weights[name];
    if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(Number.isFinite))
      throw refuse("weights are pairs of numbers, each under its name");
    const [positive, negative] = pair as [number, number];
    read.set(name, [positive / 100, negative / 100]);
  }
  return { ...rest, weights: read, seen: new Set(seen) };
}

/** Smaller weights, in hundredths, matter only in near ties. */
const weakest = 5;

/** A layer's file: one weight per line, sorted by name. */
export function printLayer({ weights, seen, ...rest }: Layer): string {
  const head = { format: "parley-opinion-layer", version: 3, ...rest, seen: [...seen].sort() };
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

/** The layer of each language: "default", "off", or a file, with "#" and its digest if it must not change. */
export type LayerNames = Record<LanguageCode, string>;

let inUse: LayerNames = { en: "default", ko: "default" };

/** Uses other layers while `work` runs; `work` must be synchronous. */
export function readWith<T>(names: LayerNames, work: () => T): T {
  const before = inUse;
  inUse = names;
  try {
    return work();
  } finally {
    inUse = before;
  }
}

export function findLayer(language: LanguageCode): Layer | null {
  return openLayer(inUse[language], language);
}

const folder = new URL("../../../data/sentiment/", import.meta.url);
const held = new Map<string, Layer>();

export function openLayer(name: string, language: LanguageCode): Layer | null {
  const key = `${language} ${name}`;
  const known = held.get(key);
  if (name === "off" || known) return known ?? null;
  const [, file = name, digest] = /^(.*)#([0-9a-f]{16})$/.exec(name) ?? [];
  const path = name === "default" ? fileURLToPath(new URL(`${language}/layer.json`, folder)) : file;
  const layer = readLayer(path, digest);
  if (layer.language !== language)
    throw new ParleyError("bad_config", `${path} was learnt from ${layer.language} texts and cannot read ${language}`);
  if (held.size >= 4) held.clear();
  held.set(key, layer);
  return layer;
}

function readLayer(path: string, digest: string | undefined): Layer {
  let text: string;
  try {
    // A pipe or a device may never end.
    if (!statSync(path).isFile()) throw new Error("it is not a plain file");
    text = readFileSync(path, "utf8");
  } catch (cause) {
    throw new ParleyError("bad_config", `${path}: there is no such file; give a layer, "default" or "off"`, { cause });
  }
  if (digest !== undefined && digestLayer(text) !== digest)
    throw new ParleyError("bad_config", `${path} has changed since it was chosen; name it again without "#${digest}"`);
  return parseLayer(text, path);
}
