import { Command, Option } from "commander";
import { existsSync } from "node:fs";
import { resolve, basename } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { DatasetRow } from "../engine/pack.ts";
import {
  defaultLayers,
  type Layer,
  type Learnt,
  type Lesson,
  learnLayer,
  makeLessons,
  openLayer,
  parseLayer,
  detectLanguage,
  type LabelledAspect,
  type LabelledText,
  type Answer,
  digestText,
  judgeShares,
  measureAnswers,
  weighFeatures,
} from "../knowledge/opinions/index.ts";
import { canonicalisePolarity, type LanguageCode, readLanguageCode } from "../packs/sentiment/index.ts";
import { replaceFile } from "../store/replace-file.ts";
import { readText } from "../studies/datasets/rows.ts";
import { readCsv, readJsonl } from "../studies/datasets/rows.ts";
import { bootstrapStatistics } from "../studies/statistics/intervals.ts";
import type { Interval } from "../studies/statistics/intervals.ts";
import { isRecord } from "../text/is-record.ts";
import { createRandom } from "../text/random.ts";
import { formatTable } from "../text/text-table.ts";
import type { Io } from "./io.ts";
import { withStoreOption } from "./options.ts";
import { findColumn, languageColumns, textColumns } from "./sentiment-table.ts";
import { listLabelledCases } from "../runs/review.ts";
import { locateLayer, readLayerText } from "./sentiment.ts";
import { withStore } from "./stores.ts";

type LearnOptions = {
  base?: string;
  model?: string;
  lang?: LanguageCode;
  store?: string;
  config?: string;
  json?: boolean;
  reviews?: boolean;
};

/** `parley sentiment learn LABELLED` */
export function createLearnCommand(io: Io): Command {
  return withStoreOption(new Command("learn"))
    .description(
      "Teaches the expert from labelled texts: fits a layer over its readings, measures it, and keeps it if it is better.",
    )
    .argument("[labelled]", "a .jsonl or .csv file of texts with labelled aspects")
    .option("--reviews", "learn from what reviewers labelled in the inbox")
    .option("--base <layer>", 'start from a layer: "default" or a file')
    .option("--model <file>", "where to write the layer (default: the project's store, where it is used from then on)")
    .addOption(new Option("--lang <code>", "learn from the texts of this language").choices(["ko", "en"]))
    .option("--config <file>", "configuration file, for the place of the store")
    .option("--json", "print the figures as JSON")
    .addHelpText("after", examples)
    .action(async (file: string | undefined, options: LearnOptions) => {
      if (options.reviews) return learn(io, await readReviews(io, options), options);
      if (file === undefined) throw new ParleyError("bad_input", "name a file of labelled texts, or give --reviews");
      learn(io, readLabelledFile(io, file, options.lang), options);
    });
}

function learn(io: Io, file: LabelledFile, options: LearnOptions): void {
  const { language, texts, name } = file;
  const target = options.model === undefined ? locateLayer(io, options, language) : resolve(io.cwd, options.model);
  const rival = findRival(target, language);
  const base = options.base === undefined ? null : openBase(io, options.base, language);
  const lessons: Lesson[] = makeLessons(texts, language);
  const source = { name, licence: null, texts: texts.length, aspects: lessons.length };
  const learnt = learnLayer(lessons, { language, base, sources: [source] });
  const comparison = compareLayers(lessons, learnt, rival);
  const outlook = estimateOutlook(lessons, learnt, { language, base, sources: [source] });
  if (options.json) io.out(`${JSON.stringify({ ...comparison, outlook, figures: learnt.layer.figures }, null, 2)}\n`);
  else io.out(formatLearnt(file, learnt, comparison) + formatOutlook(outlook));
  refuseWorse(learnt, comparison, rival);
  replaceFile(target, learnt.text);
  const size = `${learnt.layer.weights.size} weights, ${Math.ceil(Buffer.byteLength(learnt.text) / 1000)} kB`;
  const use = options.model === undefined ? "used here from now on" : `use it with --model ${options.model}`;
  io.err(`written: ${target} (${size}); ${use}\n`);
}

/** How right a layer of half the labels is beside one of all, on held-out folds of these labels: what twice as many would bring. */
type Outlook = { half: number; all: number; labels: number } | null;

const fewestForOutlook = 80;

function estimateOutlook(
  lessons: readonly Lesson[],
  { layer }: Learnt,
  options: Parameters<typeof learnLayer>[1],
): Outlook {
  if (lessons.length < fewestForOutlook) return null;
  const texts = [...new Set(lessons.map(({ text }) => text))];
  const kept = new Set(texts.filter((_, at) => at % 2 === 0));
  const half = lessons.filter(({ text }) => kept.has(text));
  if (half.length < fewest || new Set(half.map(({ label }) => label)).size < 2) return null;
  return {
    half: learnLayer(half, options).layer.figures.accuracy,
    all: layer.figures.accuracy,
    labels: lessons.length,
  };
}

function formatOutlook(outlook: Outlook): string {
  if (outlook === null) return `with ${fewestForOutlook} labels or more it is said what further ones would bring\n\n`;
  const { half, all, labels } = outlook;
  const gain = all - half;
  const expected =
    gain > 0.002
      ? `${labels} more labels may bring about ${signed(gain)}`
      : "more labels of this kind would bring little";
  return `half of these labels ${share(half)}, all of them ${share(all)}: ${expected}\n\n`;
}

/** What the new layer would take the place of: the one at its target, else the one that ships, else the rules. */
function findRival(target: string, language: LanguageCode): { name: string; layer: Layer | null } {
  if (existsSync(target)) return { name: "the layer that is there", layer: parseLayer(readLayerText(target), target) };
  return { name: "the layer that ships", layer: openLayer(defaultLayers[language], language) };
}

function openBase(io: Io, name: string, language: LanguageCode): Layer | null {
  return openLayer(name === "default" ? name : resolve(io.cwd, name), language);
}

/** Too few unseen aspects say nothing about a layer; then its own figures count. */
const fewest = 30;

/** A layer that measures worse than what is in use is not written. */
function refuseWorse({ layer }: Learnt, { gain, contenders }: Comparison, rival: { layer: Layer | null }): void {
  const refuse = (why: string) => {
    throw new ParleyError("bad_input", `not written: ${why}; more or other labelled texts may help, or --base default`);
  };
  const rules = Math.max(...contenders.slice(0, 2).map(({ accuracy }) => accuracy.estimate));
  if (layer.figures.accuracy < rules)
    refuse(
      `the rules are right more often (${rules.toFixed(3)}) than what was learnt (${layer.figures.accuracy.toFixed(3)})`,
    );
  if (gain.aspects >= fewest) {
    if (gain.difference.estimate < 0) refuse(`${gain.over} is right more often`);
  } else if (rival.layer && layer.figures.accuracy < rival.layer.figures.accuracy)
    refuse(
      `${gain.over} measured ${rival.layer.figures.accuracy.toFixed(3)} when it was learnt, this one ${layer.figures.accuracy.toFixed(3)}`,
    );
}

const examples = `
Examples:
  parley sentiment learn reviews.labelled.jsonl --base default
  parley sentiment learn reviews.csv --lang ko --model layers/phones.json
  parley sentiment texts.jsonl --model layers/phones.json`;

/** The labelled texts of a file in one language, and how many of its labels could not be used, by reason. */
export type LabelledFile = {
  name: string;
  language: LanguageCode;
  texts: LabelledText[];
  leftOut: Record<string, number>;
};

type Row = LabelledText & { language: LanguageCode };

/** Reads JSON Lines with `text` and `aspects` (or `gold_tuples`, or rows of `parley review export`), or CSV with one aspect per row. */
export function readLabelledFile(io: Io, file: string, wanted: LanguageCode | undefined): LabelledFile {
  const { text } = readText(resolve(io.cwd, file));
  const leftOut: Record<string, number> = {};
  const rows = /\.(csv|tsv)$/i.test(file) ? gatherByText(readCsv(text, file)) : readJsonl(text, file);
  return gatherTexts(basename(file), rows, wanted, leftOut);
}

/** What reviewers labelled, as `parley review export` writes it. */
async function readReviews(io: Io, options: LearnOptions): Promise<LabelledFile> {
  const rows: DatasetRow[] = [];
  await withStore(io, options, async (store) => {
    for await (const row of listLabelledCases(store, "sentiment")) rows.push({ value: { ...row }, at: "a review" });
  });
  if (rows.length === 0)
    throw new ParleyError("bad_input", "no reviewer has labelled a sentiment run yet; see parley review");
  return gatherTexts("reviews", rows, options.lang, {});
}

function gatherTexts(
  name: string,
  rows: readonly DatasetRow[],
  wanted: LanguageCode | undefined,
  leftOut: Record<string, number>,
): LabelledFile {
  const read = rows.map((row) => readRow(row, leftOut));
  const korean = read.filter((row) => row.language === "ko").length;
  const language = wanted ?? (korean * 2 > read.length ? "ko" : "en");
  const texts = read.filter((row) => row.language === language && row.aspects.length > 0);
  const other = read.filter((row) => row.language !== language).length;
  if (other > 0) leftOut["texts in another language"] = other;
  return { name, language, texts, leftOut };
}

/** A CSV has one aspect per row; rows with the same text belong together. */
function gatherByText(rows: readonly DatasetRow[]): DatasetRow[] {
  const byText = new Map<string, DatasetRow>();
  for (const { value, at } of rows) {
    const text = findColumn(value, textColumns) ?? "";
    const row = byText.get(text) ?? { value: { ...value, aspects: [] }, at };
    (row.value.aspects as unknown[]).push(value);
    byText.set(text, row);
  }
  return [...byText.values()];
}

function readRow({ value, at }: DatasetRow, leftOut: Record<string, number>): Row {
  const flat = isRecord(value.input) ? { ...value.input, ...(isRecord(value.gold) ? value.gold : {}) } : value;
  const text = findColumn(flat, textColumns);
  if (text === undefined)
    throw new ParleyError("bad_input", `${at}: no text; a row has one of the columns ${textColumns.join(", ")}`);
  const list = flat.aspects ?? flat.gold_tuples ?? (Array.isArray(value.gold) ? value.gold : undefined);
  if (!Array.isArray(list))
    throw new ParleyError("bad_input", `${at}: no labels; a row has a list "aspects" of { term, polarity }`);
  const aspects = list.flatMap((one) => readAspect(text, one as unknown, at, leftOut));
  const language = readLanguageCode(findColumn(flat, languageColumns)) ?? detectLanguage(text);
  return { text, aspects, language };
}

function readAspect(text: string, value: unknown, at: string, leftOut: Record<string, number>): LabelledAspect[] {
  const columns = isRecord(value) ? value : {};
  const polarity = canonicalisePolarity(columns.polarity);
  const skip = (reason: string): LabelledAspect[] => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1;
    return [];
  };
  if (columns.polarity === "conflict" || columns.polarity === "mixed") return skip(`labels "${columns.polarity}"`);
  if (polarity === null)
    throw new ParleyError(
      "bad_input",
      `${at}: ${JSON.stringify(columns.polarity) ?? "nothing"} is no polarity; an aspect is positive, negative or neutral`,
    );
  const term = findColumn(columns, ["term", "aspect_term", "aspect"]) ?? "";
  const category = findColumn(columns, ["category", "aspect_ref", "normalized"]) ?? null;
  if (term === "") return [{ span: null, category, polarity }];
  const start = findPlace(text, term, Number(columns.from ?? 0));
  if (start === null) return skip("terms that are not in their text");
  return [{ span: { start, end: start + term.length }, category: null, polarity }];
}

/** Where a term stands: at the index given when it fits, else its occurrence nearest to it. */
function findPlace(text: string, term: string, from: number): number | null {
  if (text.startsWith(term, from)) return from;
  const places: number[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) places.push(at);
  return places.toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from))[0] ?? null;
}

/** One way to answer the labelled aspects, and how often it is right. */
export type Contender = { name: string; accuracy: Interval; macroF1: number; aspects: number };

/** What the rules, the layer in use and the new layer say of the same labelled aspects. */
export type Comparison = {
  contenders: Contender[];
  /** The new layer against what it would take the place of, on aspects that neither was fitted on. */
  gain: { over: string; difference: Interval; aspects: number };
};

type Rival = { name: string; layer: Layer | null };
type Entry = { text: string; answer: Answer };

/** Compares a new layer, by cross-validation, with the rules and with the layer in use, on texts that this one has not seen. */
export function compareLayers(lessons: readonly Lesson[], { answers }: Learnt, rival: Rival): Comparison {
  const enter = (said: (lesson: Lesson, index: number) => Answer): Entry[] =>
    lessons.map((lesson, index) => ({ text: lesson.text, answer: said(lesson, index) }));
  const near = enter((lesson) => answerByRule(lesson, lesson.near));
  const scoped = enter((lesson) => answerByRule(lesson, lesson.scoped));
  const learnt = enter((_, index) => answers[index] as Answer);
  const { layer } = rival;
  const fresh = (entry: Entry) => layer === null || !layer.seen.has(digestText(entry.text));
  const held = layer && enter((lesson) => judgeShares(weighFeatures(layer, lesson.features), lesson.label));
  const rules = countRight(scoped) >= countRight(near) ? scoped : near;
  const before = (held ?? rules).filter(fresh);
  return {
    contenders: [
      describe("rules, nearest opinions", near),
      describe("rules, by structure", scoped),
      ...(held ? [describe(rival.name, held.filter(fresh))] : []),
      describe("learnt here, by cross-validation", learnt),
    ],
    gain: {
      over: held ? rival.name : "the rules",
      difference: estimateDifference(before, learnt.filter(fresh)),
      aspects: before.length,
    },
  };
}

function answerByRule({ label }: Lesson, said: Answer["said"]): Answer {
  return { label, said, confidence: 1, right: said === label };
}

function countRight(entries: readonly Entry[]): number {
  return entries.filter(({ answer }) => answer.right).length;
}

function describe(name: string, entries: readonly Entry[]): Contender {
  const { macro_f1 } = measureAnswers(entries.map(({ answer }) => answer));
  const { accuracy = { estimate: 0, low: 0, high: 0 } } = estimate([entries], ([own = 0]) => own);
  return { name, accuracy, macroF1: macro_f1, aspects: entries.length };
}

function estimateDifference(before: readonly Entry[], after: readonly Entry[]): Interval {
  const { accuracy } = estimate([before, after], ([old = 0, own = 0]) => own - old);
  return accuracy ?? { estimate: 0, low: 0, high: 0 };
}

/** Texts are drawn anew, with all their aspects: those of one text are not independent. */
function estimate(lists: readonly (readonly Entry[])[], combine: (accuracies: number[]) => number) {
  const texts = [...new Set(lists[0]?.map((entry) => entry.text))];
  const tallies = lists.map((entries) => {
    const byText = Map.groupBy(entries, (entry) => entry.text);
    return texts.map((text) => ({ right: countRight(byText.get(text) ?? []), all: byText.get(text)?.length ?? 0 }));
  });
  const accuracyOf = (tally: (typeof tallies)[number], drawn: Int32Array) => {
    let [right, all] = [0, 0];
    for (const at of drawn) {
      right += tally[at]?.right ?? 0;
      all += tally[at]?.all ?? 0;
    }
    return all === 0 ? 0 : right / all;
  };
  return bootstrapStatistics(
    texts.length,
    (drawn) => ({ accuracy: combine(tallies.map((tally) => accuracyOf(tally, drawn))) }),
    { random: createRandom(1) },
  );
}

const share = (value: number) => value.toFixed(3);
const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
const between = ({ low, high }: Interval, show: (value: number) => string) => `${show(low)} to ${show(high)}`;

/** What was learnt, before and after, with 95 % intervals over texts, and how well confidence fits. */
export function formatLearnt(file: LabelledFile, learnt: Learnt, { contenders, gain }: Comparison): string {
  const aspects = file.texts.reduce((sum, text) => sum + text.aspects.length, 0);
  const rows = contenders.map(({ name, accuracy, macroF1, aspects: count }) => [
    name,
    share(accuracy.estimate),
    between(accuracy, share),
    share(macroF1),
    String(count),
  ]);
  return [
    `${file.name}: ${file.texts.length} texts, ${aspects} labelled aspects, language ${file.language}`,
    ...Object.entries(file.leftOut).map(([reason, count]) => `  left out: ${count} ${reason}`),
    "",
    ...formatTable([["", "accuracy", "95 % interval", "macro-F1", "aspects"], ...rows], new Set([1, 3, 4])),
    "",
    `learnt against ${gain.over}: ${signed(gain.difference.estimate)} (${between(gain.difference, signed)}) on ${gain.aspects} aspects`,
    "",
  ].join("\n");
}
