/** The learnt layer: a linear model over the readings and the plain words around an aspect. */
import { createHash } from "node:crypto";
import { readFileSync, statSync } from "node:fs";
import { fileURLToPath } from "node:url";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { isRecord } from "../../text/is-record.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import type { LanguageCode } from "./reading/language.ts";
import type { Features, Place, Polarity, Reading, Structure, Word } from "./reading/reading.ts";

/** What is known of an aspect before anything is learnt: its place, and what each reading says of it. */
export type Described = {
  structure: Structure;
  /** Null for the text as a whole, or a category of it. */
  place: Place | null;
  category: string | null;
  near: Reading;
  scoped: Reading;
  whole: Reading;
  /** True when no other aspect of the text is asked for. */
  alone: boolean;
};

type Growing = Map<string, number>;

/** How far, in words, the plain words around an aspect still count as near. */
const reach = 4;

/** How far, in words, the text around an aspect is looked at. */
const view = 60;

function cut(from: number, to: number, far: number): [number, number] {
  return [Math.max(0, from - far), to + far];
}

/** Describes an aspect by the readings of the program and by the words around it. */
export function describeAspect(described: Described): Features {
  const features: Growing = new Map();
  addReadings(features, described);
  if (described.category !== null) features.set(`category ${described.category.toLowerCase()}`, 1);
  addWords(features, described);
  if (described.structure.reach === "text") addLetters(features, described);
  return features;
}

/** The features that name the aspect's own words. */
export function listAspectFeatures(features: Features): string[] {
  return [...features.keys()].filter((name) => name.startsWith("aspect "));
}

function addReadings(features: Growing, described: Described): void {
  const { structure, place, near, scoped, whole } = described;
  const say = (reading: Reading) => reading.polarity ?? "none";
  features.set("always", 1);
  features.set(`near ${say(near)}`, 1);
  features.set(`scoped ${say(scoped)}`, 1);
  features.set(`scoped ${say(scoped)} by ${scoped.via}`, 1);
  features.set(`whole ${say(whole)}`, 1);
  features.set(`near ${say(near)}, scoped ${say(scoped)}`, 1);
  features.set(`near ${say(near)}, scoped ${say(scoped)}, whole ${say(whole)}`, 1);
  features.set(`${described.alone ? "alone" : "with others"}, scoped ${say(scoped)}, whole ${say(whole)}`, 1);
  features.set(`signs ${findSigns(structure)}`, 1);
  features.set(`scoped ${say(scoped)}, signs ${findSigns(structure)}`, 1);
  features.set("near value", clip(near.value));
  features.set("scoped value", clip(scoped.value));
  features.set("whole value", clip(whole.value));
  features.set(`lexicon ${findNearestWord(structure, place)}`, 1);
  if (scoped.opinions.some((opinion) => opinion.kind === "fact")) features.set(`fact ${say(scoped)}`, 1);
  if (scoped.opinions.some((opinion) => opinion.negated)) features.set(`negated ${say(scoped)}`, 1);
  if (place !== null) addNeighbours(features, structure, place);
  if (place?.setting) features.set("setting", 1);
  for (const { term, negated } of scoped.opinions)
    features.set(`opinion ${negated ? "not " : ""}${term.toLowerCase()}`, 1);
}

/** The nearest opinion on each side of the aspect: what it says, how far away it is, whether in the same clause. */
function addNeighbours(features: Growing, { opinions }: Structure, place: Place): void {
  const before = opinions.findLast((opinion) => opinion.to <= place.from);
  const after = opinions.find((opinion) => opinion.from >= place.to);
  const describe = (opinion: typeof after, gap: number) => {
    if (opinion === undefined) return "none";
    const far = gap <= 1 ? "beside" : gap <= 4 ? "near" : "far";
    return `${nameSign(opinion.valueFor(place.words))} ${far}${opinion.clause === place.clause ? " in the clause" : ""}`;
  };
  const left = describe(before, place.from - (before?.to ?? 0));
  const right = describe(after, (after?.from ?? 0) - place.to);
  features.set(`opinion before ${left}`, 1);
  features.set(`opinion after ${right}`, 1);
  features.set(`opinions ${left}, ${right}`, 1);
}

function nameSign(value: number): Polarity {
  return value === 0 ? "neutral" : value > 0 ? "positive" : "negative";
}

/** Whether the opinions of the text agree. */
function findSigns({ opinions }: Structure): string {
  const good = opinions.some((opinion) => opinion.value > 0);
  const bad = opinions.some((opinion) => opinion.value < 0);
  return good && bad ? "mixed" : good ? "positive" : bad ? "negative" : "none";
}

/** The opinion word nearest to the aspect, as the lexicon values it. */
function findNearestWord({ opinions }: Structure, place: Place | null): Polarity | "none" {
  if (place === null) return "none";
  const gap = (one: { from: number; to: number }) =>
    one.to <= place.from ? place.from - one.to : Math.max(0, one.from - place.to);
  const nearest = opinions.toSorted((a, b) => gap(a) - gap(b))[0];
  if (nearest === undefined) return "none";
  return nameSign(nearest.base);
}

function clip(value: number): number {
  return Math.max(-3, Math.min(3, value)) / 3;
}

function addWords(features: Growing, { structure, place }: Described): void {
  const words = markNegated(structure);
  if (place !== null) {
    for (const word of words.slice(place.from, place.to)) features.set(`aspect ${word.lemma}`, 0.5);
    for (let step = 1; step <= reach; step += 1) {
      const before = words[place.from - step];
      const after = words[place.to - 1 + step];
      features.set(`before ${step} ${before?.lemma ?? "-"}`, 0.5);
      features.set(`after ${step} ${after?.lemma ?? "-"}`, 0.5);
      addMost(features, `around ${before?.lemma ?? "-"}`, 1 / (1 + 0.3 * step));
      addMost(features, `around ${after?.lemma ?? "-"}`, 1 / (1 + 0.3 * step));
    }
  }
  const clause = place === null ? [] : words.filter((word) => word.clause === place.clause && isOutside(word, place));
  addBag(features, "clause", clause);
  addBag(features, "text", place === null ? words.slice(0, 2 * view) : words.slice(...cut(place.from, place.to, view)));
}

/** "not a single complaint" speaks of no complaint: a judging word that is negated is another word. */
function markNegated({ words, opinions }: Structure): readonly Word[] {
  const turned = opinions.filter((opinion) => opinion.negated);
  if (turned.length === 0) return words;
  const isTurned = ({ index }: Word) => turned.some(({ from, to }) => index >= from && index < to);
  return words.map((word) => (isTurned(word) ? { ...word, lemma: `not ${word.lemma}` } : word));
}

function isOutside(word: Word, place: Place): boolean {
  return word.index < place.from || word.index >= place.to;
}

function addMost(features: Growing, name: string, value: number): void {
  features.set(name, Math.max(features.get(name) ?? 0, value));
}

/** Words and pairs of neighbours, so weighed that a long text says no more than a short one. */
function addBag(features: Growing, kind: string, words: readonly Word[]): void {
  const names = new Set<string>();
  for (const [at, word] of words.entries()) {
    names.add(`${kind} ${word.lemma}`);
    const next = words[at + 1];
    if (next !== undefined && kind === "clause") names.add(`${kind} ${word.lemma} ${next.lemma}`);
  }
  const share = 1 / Math.sqrt(Math.max(4, names.size));
  for (const name of names) features.set(name, share * 2);
}

/** Stretches of two to four characters: what carries meaning where words are built from endings. */
function addLetters(features: Growing, { structure, place }: Described): void {
  const { text } = structure;
  const { start, end } = place?.span ?? { start: 0, end: 0 };
  addStretches(features, "letters", text.slice(...cut(start, end, 4 * view)));
  if (place === null) return;
  addStretches(features, "letters near", text.slice(Math.max(0, start - 10), start));
  addStretches(features, "letters near", text.slice(end, end + 16));
}

function addStretches(features: Growing, kind: string, text: string): void {
  const plain = text.toLowerCase().replace(/\s+/g, " ");
  const names = new Set<string>();
  for (let size = 2; size <= 4; size += 1)
    for (let at = 0; at + size <= plain.length; at += 1) names.add(`${kind} ${plain.slice(at, at + size)}`);
  const share = 2 / Math.sqrt(Math.max(8, names.size));
  for (const name of names) features.set(name, share);
}

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

/** Which layer each language is read with: "default", "off", or a file, with "#" and its digest where it must not change. */
export type LayerNames = Record<LanguageCode, string>;

/** What is used where nobody says otherwise: English ships a layer; Korean has one once someone has taught it. */
export const defaultLayers: LayerNames = { en: "default", ko: "off" };

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

const shipped: Partial<Record<LanguageCode, URL>> = {
  en: new URL("../../../data/sentiment/en/layer.json", import.meta.url),
};

const most = 4;
const held = new Map<string, Layer>();

/** Opens a layer by its name; a file that changed is read again, the one that ships does not change. */
export function openLayer(name: string, language: LanguageCode): Layer | null {
  if (name === "off") return null;
  const ships = name === "default" ? held.get(`${name} ${language}`) : undefined;
  if (ships) return ships;
  const { path, digest } = splitName(name, language);
  const key = name === "default" ? `${name} ${language}` : `${name} ${readStamp(path)}`;
  const known = held.get(key);
  if (known !== undefined) return known;
  const text = readFileSync(path, "utf8");
  if (digest !== null && digestLayer(text) !== digest)
    throw new ParleyError("bad_config", `${path} has changed since it was chosen; name it again without "#${digest}"`);
  const layer = parseLayer(text, path);
  if (layer.language !== language)
    throw new ParleyError("bad_config", `${path} was learnt from ${layer.language} texts and cannot read ${language}`);
  if (held.size >= most) held.clear();
  held.set(key, layer);
  return layer;
}

function splitName(name: string, language: LanguageCode): { path: string; digest: string | null } {
  if (name === "default") {
    const file = shipped[language];
    if (file) return { path: fileURLToPath(file), digest: null };
    throw new ParleyError(
      "bad_config",
      `no learnt layer ships for "${language}"; \`parley sentiment learn\` makes one from labelled texts`,
    );
  }
  const [, path = name, digest = null] = /^(.*)#([0-9a-f]{16})$/.exec(name) ?? [];
  return { path, digest };
}

function readStamp(path: string): string {
  const found = statSync(path, { throwIfNoEntry: false });
  if (found?.isFile()) return `${found.mtimeMs} ${found.size}`;
  throw new ParleyError("bad_config", `${path}: there is no such file; give a layer, "default" or "off"`);
}

/** What names the content of a layer's file. */
export function digestLayer(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 16);
}

/** A reading whose confidence is a calibrated probability, with those of the other answers; `met` when the layer was taught a word of the aspect. */
export type LearntReading = Reading & { shares: Shares; label: Label; met: boolean };

/** What a layer makes of an aspect, all its places together; the opinions it stands on are those of the readings that agree. */
export function readLearnt(
  layer: Layer,
  { near, scoped }: { near: Reading; scoped: Reading },
  places: readonly Features[],
): LearntReading {
  const shares = meanOf(places.map((features) => weighFeatures(layer, features)));
  const label = pickLabel(shares);
  const support = [near, scoped].find((reading) => reading.polarity === label) ?? null;
  const aspect = near.opinions.length === 0 ? near.evidence : scoped.evidence;
  return {
    label,
    shares,
    met: places.some((features) => listAspectFeatures(features).some((name) => layer.weights.has(name))),
    /** A mention that nothing evaluates is no judgement, as in the other readings. */
    polarity: label === "neutral" && support === null ? null : label,
    value: 3 * (shares.positive - shares.negative),
    confidence: shares[label],
    opinions: support?.opinions ?? [],
    evidence: support?.evidence ?? aspect,
    via: "learnt",
  };
}

function meanOf(list: readonly Shares[]): Shares {
  const mean = (label: Label) => list.reduce((sum, shares) => sum + shares[label], 0) / list.length;
  return { positive: mean("positive"), negative: mean("negative"), neutral: mean("neutral") };
}
