import * as z from "zod";
import { ParleyError } from "../../../contract/error.ts";
import { isRecord } from "../../../text/is-record.ts";
import type { Features } from "../reading/reading.ts";
import { type Label, labels, score, toShares, type Weights } from "./fit.ts";

const Figure = z.number().min(0).max(1);

const SourceSchema = z.strictObject({
  name: z.string(),
  licence: z.string().nullable(),
  texts: z.int().nonnegative(),
  aspects: z.int().nonnegative(),
});

/** Tens of thousands of pairs are looked at by hand: a schema for each would take most of the time that a text takes. */
function isWeights(value: unknown): value is Record<string, [number, number]> {
  if (!isRecord(value)) return false;
  for (const name in value) {
    const pair = value[name];
    if (!Array.isArray(pair) || pair.length !== 2 || !pair.every(Number.isFinite)) return false;
  }
  return true;
}

/** A layer as it is written to a file: plain, versioned, with what it was fitted on and how good it measured. */
export const LayerSchema = z.strictObject({
  format: z.literal("parley-opinion-layer"),
  version: z.literal(1),
  language: z.enum(["en", "ko"]),
  sources: z.array(SourceSchema),
  /** Aspects that it was fitted on: those that a text names, how many of them by themselves, and whole texts or categories. */
  examples: z.strictObject({
    named: z.int().nonnegative(),
    lone: z.int().nonnegative().optional(),
    implicit: z.int().nonnegative(),
  }),
  /** By cross-validation on the texts it was fitted on. */
  figures: z.strictObject({ accuracy: Figure, macro_f1: Figure, miscalibration: Figure }),
  temperature: z.number().positive(),
  /** Short digests of the texts it was fitted on, so that nobody measures it on those. */
  seen: z.array(z.string()),
  weights: z.custom<Record<string, [number, number]>>(isWeights, "weights are pairs of numbers, each under its name"),
});
type LayerFile = z.infer<typeof LayerSchema>;

/** A learnt layer: weights over readings and words, and what is known of them. */
export type Layer = Omit<LayerFile, "format" | "version" | "weights" | "seen"> & {
  weights: Weights;
  seen: ReadonlySet<string>;
};

/** The shares of the three polarities that a layer gives an aspect. */
export type Shares = Record<Label, number>;

/** What a layer says of an aspect. */
export function weighFeatures(layer: Layer, features: Features): Shares {
  const [positive = 0, negative = 0, neutral = 0] = toShares(score(layer.weights, features), layer.temperature);
  return { positive, negative, neutral };
}

/** The label with the largest share; of equal ones the first. */
export function pickLabel(shares: Shares): Label {
  return labels.reduce((best, label) => (shares[label] > shares[best] ? label : best));
}

/** Reads a layer from the text of its file. */
export function parseLayer(text: string, path: string): Layer {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch (cause) {
    throw new ParleyError("bad_input", `${path}: a learnt layer is a JSON file, and this is none`, { cause });
  }
  const parsed = LayerSchema.safeParse(value);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    const where = issue === undefined || issue.path.length === 0 ? "" : ` at ${issue.path.slice(0, 2).join(".")}`;
    throw new ParleyError(
      "bad_input",
      `${path}: this is not a learnt layer that Parley can read (${issue?.message ?? "unknown shape"}${where}); \`parley sentiment learn\` writes one`,
    );
  }
  const { format: _format, version: _version, weights, seen, ...rest } = parsed.data;
  return { ...rest, weights: new Map(Object.entries(weights)), seen: new Set(seen) };
}

/** Weights weaker than this change no answer that is not a toss-up. */
const weakest = 0.03;

/** Writes a layer as the text of its file: one weight per line, in the order of their names, two decimals. */
export function printLayer(layer: Layer): string {
  const { weights, seen, ...rest } = layer;
  const head = { format: "parley-opinion-layer", version: 1, ...rest, seen: [...seen].sort() };
  const round = (value: number) => Math.round(value * 100) / 100 || 0;
  const lines = [...weights]
    .filter(([, own]) => own.some((value) => Math.abs(value) >= weakest))
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, [positive, negative]]) => `${JSON.stringify(name)}:[${round(positive)},${round(negative)}]`);
  return `${JSON.stringify(head).slice(0, -1)},"weights":{\n${lines.join(",\n")}\n}}\n`;
}
