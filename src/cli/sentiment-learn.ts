/** `parley sentiment learn`: teaches the expert from labelled texts, and keeps what it learnt when that is better. */
import { Command, Option } from "commander";
import { existsSync } from "node:fs";
import { basename, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { DatasetRow } from "../engine/pack.ts";
import {
  type Answer,
  detectLanguage,
  digestText,
  fewestLessons,
  judgeShares,
  type LabelledAspect,
  type LabelledText,
  type Layer,
  learnLayer,
  type Lesson,
  makeLessons,
  measureAnswers,
  openLayer,
  parseLayer,
  weighFeatures,
} from "../knowledge/opinions/index.ts";
import { canonicalisePolarity, type LanguageCode, readLanguageCode } from "../packs/sentiment/index.ts";
import { listLabelledCases } from "../runs/review.ts";
import { replaceFile } from "../store/replace-file.ts";
import { readCsv, readJsonl, readText } from "../studies/datasets/rows.ts";
import { bootstrapMean, type Interval } from "../studies/statistics/intervals.ts";
import { isRecord } from "../text/json.ts";
import { createRandom, shuffle } from "../text/random.ts";
import { formatTable } from "../text/layout.ts";
import type { Io } from "./io.ts";
import { withStoreOption } from "./options.ts";
import { findColumn, languageColumns, textColumns } from "./sentiment-table.ts";
import { locateLayer, readLayerText } from "./sentiment.ts";
import { withStore } from "./stores.ts";

type LearnOptions = {
  base: string;
  model?: string;
  lang?: LanguageCode;
  store?: string;
  config?: string;
  json?: boolean;
  reviews?: boolean;
};

export function createLearnCommand(io: Io): Command {
  return withStoreOption(new Command("learn"))
    .description("Trains the built-in program on labelled texts, measures the result, and keeps it if it is better.")
    .argument("[labelled]", "a .jsonl or .csv file of texts with labelled aspects")
    .option("--reviews", "learn from labels that reviewers gave in the inbox")
    .option(
      "--base <layer>",
      'start from "default" (the layer that ships), "off" (the rules alone) or a file',
      "default",
    )
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

const examples = `
Examples:
  parley sentiment learn reviews.labelled.jsonl
  parley sentiment learn --reviews
  parley sentiment learn reviews.csv --lang ko --model layers/phones.json
  parley sentiment texts.jsonl --model layers/phones.json`;

/** Fits a layer on labelled texts, says how much better it is on held-out folds of them, and writes it unless it is worse. */
function learn(io: Io, file: LabelledFile, options: LearnOptions): void {
  const { language, texts, name } = file;
  const target = options.model === undefined ? locateLayer(io, options, language) : resolve(io.cwd, options.model);
  const lessons = makeLessons(texts, language);
  const how = {
    language,
    base: openLayer(/^(default|off)$/.test(options.base) ? options.base : resolve(io.cwd, options.base), language),
    sources: [{ name, licence: null, texts: texts.length, aspects: lessons.length }],
  };
  const learnt = learnLayer(lessons, how);
  const rival = existsSync(target)
    ? { name: "the layer that is there", layer: parseLayer(readLayerText(target), target) }
    : { name: "the layer that ships", layer: openLayer("default", language) as Layer };
  const comparison = compare(lessons, learnt.answers, rival);
  const outlook = estimateOutlook(lessons, how, learnt.layer.figures.accuracy);
  io.out(
    options.json
      ? `${JSON.stringify({ ...comparison, outlook, figures: learnt.layer.figures }, null, 2)}\n`
      : formatLearnt(file, comparison, outlook),
  );
  refuseWorse(learnt.layer, comparison, rival.layer);
  replaceFile(target, learnt.text);
  const size = `${learnt.layer.weights.size} weights, ${Math.ceil(Buffer.byteLength(learnt.text) / 1000)} kB`;
  const use = options.model === undefined ? "used here from now on" : `use it with --model ${options.model}`;
  io.err(`written: ${target} (${size}); ${use}\n`);
}

type Contender = { name: string; accuracy: number; macro_f1: number; aspects: number };

type Comparison = {
  contenders: Contender[];
  /** The new layer against what it would take the place of, on aspects that neither was fitted on. */
  gain: { over: string; difference: Interval; aspects: number };
};

function compare(
  lessons: readonly Lesson[],
  answers: readonly Answer[],
  rival: { name: string; layer: Layer },
): Comparison {
  const byRule = (said: (lesson: Lesson) => Answer["said"]) =>
    lessons.map((lesson): Answer => {
      const word = said(lesson);
      return { label: lesson.label, said: word, confidence: 1, right: word === lesson.label };
    });
  const unseen = lessons.flatMap((lesson, at) =>
    rival.layer.seen.has(digestText(lesson.text))
      ? []
      : [{ text: lesson.text, after: answers[at] as Answer, before: judgeLesson(rival.layer, lesson) }],
  );
  const describe = (name: string, list: readonly Answer[]) => ({ name, ...measureAnswers(list), aspects: list.length });
  const gains = [...Map.groupBy(unseen, ({ text }) => text).values()].map((own) =>
    own.reduce((sum, { before, after }) => sum + Number(after.right) - Number(before.right), 0),
  );
  const scale = unseen.length === 0 ? 0 : gains.length / unseen.length;
  const { estimate, low, high } = bootstrapMean(gains, { random: createRandom(1) });
  return {
    contenders: [
      describe(
        "rules, nearest opinions",
        byRule((lesson) => lesson.near),
      ),
      describe(
        "rules, by structure",
        byRule((lesson) => lesson.scoped),
      ),
      describe(
        rival.name,
        unseen.map(({ before }) => before),
      ),
      describe("learnt here, by cross-validation", answers),
    ],
    gain: {
      over: rival.name,
      difference: { estimate: estimate * scale, low: low * scale, high: high * scale },
      aspects: unseen.length,
    },
  };
}

function judgeLesson(layer: Layer, { features, label }: Lesson): Answer {
  return judgeShares(weighFeatures(layer, features), label);
}

function refuseWorse({ figures }: Layer, { gain, contenders }: Comparison, rival: Layer): void {
  const refuse = (why: string) => {
    throw new ParleyError("bad_input", `not written: ${why}; more or other labelled texts may help`);
  };
  const rules = Math.max(...contenders.slice(0, 2).map(({ accuracy }) => accuracy));
  if (figures.accuracy < rules)
    refuse(`the rules are right more often (${share(rules)}) than what was learnt (${share(figures.accuracy)})`);
  const isKnown = gain.aspects < fewestLessons;
  if (!isKnown && gain.difference.estimate < 0) refuse(`${gain.over} is right more often`);
  if (isKnown && figures.accuracy < rival.figures.accuracy)
    refuse(
      `${gain.over} measured ${share(rival.figures.accuracy)} when it was learnt, this one ${share(figures.accuracy)}`,
    );
}

/** How right a layer of half the labels is beside one of all, on held-out folds: what twice as many would bring. */
type Outlook = { half: number; all: number; labels: number } | null;

const fewestForOutlook = 80;

function estimateOutlook(lessons: readonly Lesson[], how: Parameters<typeof learnLayer>[1], all: number): Outlook {
  const texts = shuffle([...new Set(lessons.map(({ text }) => text))], createRandom(1));
  const kept = new Set(texts.slice(0, texts.length / 2));
  const half = lessons.filter(({ text }) => kept.has(text));
  const isEnough = half.length >= fewestLessons && new Set(half.map(({ label }) => label)).size > 1;
  if (lessons.length < fewestForOutlook || !isEnough) return null;
  return { half: learnLayer(half, how).layer.figures.accuracy, all, labels: lessons.length };
}

const share = (value: number) => value.toFixed(3);
const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;

/** What was learnt, before and after, and what more labels would bring. */
function formatLearnt(
  { name, texts, language, leftOut }: LabelledFile,
  comparison: Comparison,
  outlook: Outlook,
): string {
  const { contenders, gain } = comparison;
  const { estimate, low, high } = gain.difference;
  const rows = contenders.map((one) => [one.name, share(one.accuracy), share(one.macro_f1), String(one.aspects)]);
  const aspects = texts.reduce((sum, text) => sum + text.aspects.length, 0);
  return [
    `${name}: ${texts.length} texts, ${aspects} labelled aspects, language ${language}`,
    ...Object.entries(leftOut).map(([reason, count]) => `  left out: ${count} ${reason}`),
    "",
    ...formatTable([["", "accuracy", "macro-F1", "aspects"], ...rows], new Set([1, 2, 3])),
    "",
    `learnt against ${gain.over}: ${signed(estimate)} (${signed(low)} to ${signed(high)}) on ${gain.aspects} aspects`,
    describeOutlook(outlook),
    "",
    "",
  ].join("\n");
}

function describeOutlook(outlook: Outlook): string {
  if (outlook === null) return `with ${fewestForOutlook} labels or more it is said what further ones would bring`;
  const { half, all, labels } = outlook;
  const expected =
    all - half > 0.002
      ? `${labels} more labels may bring about ${signed(all - half)}`
      : "more labels of this kind would bring little";
  return `half of these labels ${share(half)}, all of them ${share(all)}: ${expected}`;
}

type LabelledFile = { name: string; language: LanguageCode; texts: LabelledText[]; leftOut: Record<string, number> };

function readLabelledFile(io: Io, file: string, wanted: LanguageCode | undefined): LabelledFile {
  const { text } = readText(resolve(io.cwd, file));
  return gatherTexts(
    basename(file),
    /\.(csv|tsv)$/i.test(file) ? gatherByText(readCsv(text, file)) : readJsonl(text, file),
    wanted,
  );
}

async function readReviews(io: Io, options: LearnOptions): Promise<LabelledFile> {
  const rows: DatasetRow[] = [];
  await withStore(io, options, async (store) => {
    for await (const row of listLabelledCases(store, "sentiment")) rows.push({ value: { ...row }, at: "a review" });
  });
  if (rows.length === 0)
    throw new ParleyError("bad_input", "no reviewer has labelled a sentiment run yet; see parley review");
  return gatherTexts("reviews", rows, options.lang);
}

function gatherTexts(name: string, rows: readonly DatasetRow[], wanted: LanguageCode | undefined): LabelledFile {
  const leftOut: Record<string, number> = {};
  const read = rows.map((row) => readRow(row, leftOut));
  const korean = read.filter((row) => row.language === "ko").length;
  const language = wanted ?? (korean * 2 > read.length ? "ko" : "en");
  const texts = read.filter((row) => row.language === language && row.aspects.length > 0);
  const other = read.filter((row) => row.language !== language).length;
  if (other > 0) leftOut["texts in another language"] = other;
  return { name, language, texts, leftOut };
}

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

function readRow(
  { value, at }: DatasetRow,
  leftOut: Record<string, number>,
): LabelledText & { language: LanguageCode } {
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

function findPlace(text: string, term: string, from: number): number | null {
  if (text.startsWith(term, from)) return from;
  const places: number[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) places.push(at);
  return places.toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from))[0] ?? null;
}
