/** `parley sentiment learn`: teaches the expert from labelled texts, and keeps the result if it is better. */
import type { Command } from "commander";
import { existsSync, readFileSync } from "node:fs";
import { basename, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { DatasetRow } from "../engine/pack.ts";
import {
  type Answer,
  detectLanguage,
  digestText,
  fewestLessons,
  judgeShares,
  type Label,
  type LabelledText,
  type Layer,
  learnLayer,
  type Lesson,
  makeLessons,
  openLayer,
  parseLayer,
  weighFeatures,
} from "../knowledge/opinions/index.ts";
import { canonicalisePolarity, type LanguageCode, readLanguageCode } from "../packs/sentiment/index.ts";
import { listLabelledCases } from "../runs/review.ts";
import { replaceFile } from "../store/replace-file.ts";
import { readCsv, readJsonl, readText } from "../studies/datasets/load-dataset.ts";
import { bootstrapMean, type Interval } from "../studies/statistics/statistics.ts";
import { isRecord } from "../text/json.ts";
import { createRandom, shuffle } from "../text/random.ts";
import { choice, defineCommand, flag, type Given } from "./command.ts";
import type { Io } from "./io.ts";
import { configOption, storeOption } from "./options.ts";
import { findColumn, findText, languageColumns } from "./sentiment-table.ts";
import { locateLayer } from "./sentiment.ts";
import { withStore } from "./stores.ts";

const options = {
  reviews: flag("learn from labels that reviewers gave in the inbox"),
  lang: choice("<code>", "learn from the texts of this language", ["ko", "en"]),
  ...configOption,
  ...storeOption,
};
type LearnOptions = Given<typeof options>;

export function createLearnCommand(io: Io): Command {
  return defineCommand({
    name: "learn",
    arguments: { "[labelled]": "a .jsonl or .csv file of texts with labelled aspects" },
    options,
    async action(given, file: string | undefined) {
      if (given.reviews) return learn(io, await readReviews(io, given), given);
      if (file === undefined) throw new ParleyError("bad_input", "name a file of labelled texts, or give --reviews");
      learn(io, readLabelledFile(io, file, given.lang), given);
    },
  });
}

/** Fits a layer, reports its gain on held-out folds, and writes it unless it is worse. */
function learn(io: Io, { language, texts, name, leftOut }: LabelledFile, options: LearnOptions): void {
  const target = locateLayer(io, options, language);
  const lessons = makeLessons(texts, language);
  const how = {
    language,
    base: openLayer("default", language),
    sources: [{ name, licence: null, texts: texts.length, aspects: lessons.length }],
  };
  const learnt = learnLayer(lessons, how);
  const rival = existsSync(target)
    ? { name: "your current layer", layer: parseLayer(readFileSync(target, "utf8"), target) }
    : { name: "the bundled layer", layer: openLayer("default", language) as Layer };
  const { before, gain, unseen } = compare(lessons, learnt.answers, rival.layer);
  if (unseen === 0)
    throw new ParleyError(
      "bad_input",
      `not written: ${rival.name} was taught all of these texts already, so nothing can be measured`,
    );
  const after = learnt.layer.accuracy;
  const lines = [
    `${name}: ${texts.length} texts, ${lessons.length} labelled aspects, language ${language}`,
    ...Object.entries(leftOut).map(([reason, count]) => `  left out: ${count} ${reason}`),
    "",
    `before: ${rival.name} is right on ${share(before)} of ${unseen} labels that it has not seen`,
    `after: the new layer is right on ${share(after)} (held-out folds of your labels)`,
    `difference: ${signed(gain.estimate)} (${signed(gain.low)} to ${signed(gain.high)})`,
    describeOutlook(lessons, how, after),
  ];
  io.out(`${lines.join("\n")}\n\n`);
  /** With too few unseen aspects, the layers' own figures are compared. */
  const isWorse = unseen < fewestLessons ? after < rival.layer.accuracy : gain.estimate < 0;
  if (isWorse)
    throw new ParleyError(
      "bad_input",
      `not written: ${rival.name} is right more often; more or other labelled texts may help`,
    );
  replaceFile(target, learnt.text);
  io.err(`written: ${target} (${Math.ceil(Buffer.byteLength(learnt.text) / 1000)} kB); used here from now on\n`);
}

/**
 * Compares the new layer, cross-validated, with the layer in use on texts it has not seen. Texts are resampled,
 * because aspects of one text are not independent.
 */
function compare(lessons: readonly Lesson[], answers: readonly Answer[], rival: Layer) {
  const unseen = lessons.flatMap((lesson, at) => {
    if (rival.seen.has(digestText(lesson.text))) return [];
    const was = judgeShares(weighFeatures(rival, lesson.features), lesson.label).right;
    return [{ text: lesson.text, was: Number(was), is: Number(answers[at]?.right) }];
  });
  const gains = [...Map.groupBy(unseen, ({ text }) => text).values()].map((own) =>
    own.reduce((sum, { was, is }) => sum + is - was, 0),
  );
  const scale = unseen.length === 0 ? 0 : gains.length / unseen.length;
  const { estimate, low, high } = bootstrapMean(gains, { random: createRandom(1) });
  const gain: Interval = { estimate: estimate * scale, low: low * scale, high: high * scale };
  const right = unseen.reduce((sum, { was }) => sum + was, 0);
  return { before: unseen.length === 0 ? 0 : right / unseen.length, gain, unseen: unseen.length };
}

const share = (value: number) => value.toFixed(3);
const signed = (value: number) => `${value < 0 ? "−" : "+"}${Math.abs(value).toFixed(3)}`;
const fewestForOutlook = 80;

/** Compares half of the labels with all of them, to show what twice as many would bring. */
function describeOutlook(lessons: readonly Lesson[], how: Parameters<typeof learnLayer>[1], all: number): string {
  const texts = shuffle([...new Set(lessons.map(({ text }) => text))], createRandom(1));
  const kept = new Set(texts.slice(0, texts.length / 2));
  const half = lessons.filter(({ text }) => kept.has(text));
  const isEnough = half.length >= fewestLessons && new Set(half.map(({ label }) => label)).size > 1;
  if (lessons.length < fewestForOutlook || !isEnough)
    return `with ${fewestForOutlook} labels or more, this line estimates what further labels would bring`;
  const { accuracy } = learnLayer(half, how).layer;
  const expected =
    all - accuracy > 0.002
      ? `${lessons.length} more labels may bring about ${signed(all - accuracy)}`
      : "more labels of this kind would bring little";
  return `half of these labels ${share(accuracy)}, all of them ${share(all)}: ${expected}`;
}

type LabelledFile = { name: string; language: LanguageCode; texts: LabelledText[]; leftOut: Record<string, number> };

function readLabelledFile(io: Io, file: string, wanted: LanguageCode | undefined): LabelledFile {
  const { text } = readText(resolve(io.cwd, file));
  const rows = /\.(csv|tsv)$/i.test(file) ? readCsv(text, file) : readJsonl(text, file);
  return gatherTexts(basename(file), rows, wanted);
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

/** Rows with the same text belong together: a CSV has one aspect per row. */
function gatherTexts(name: string, rows: readonly DatasetRow[], wanted: LanguageCode | undefined): LabelledFile {
  const leftOut: Record<string, number> = {};
  const read = [...Map.groupBy(rows.map(readRow), ({ text }) => text)].map(([text, own]) => {
    const language = own[0]?.language ?? detectLanguage(text);
    return {
      text,
      language,
      aspects: own.flatMap(({ labels }) => labels.flatMap((one) => placeLabel(text, one, leftOut))),
    };
  });
  const korean = read.filter((row) => row.language === "ko").length;
  const language = wanted ?? (korean * 2 > read.length ? "ko" : "en");
  const texts = read.filter((row) => row.language === language && row.aspects.length > 0);
  const other = read.filter((row) => row.language !== language).length;
  if (other > 0) leftOut["texts in another language"] = other;
  return { name, language, texts, leftOut };
}

type Labelled = { term: string; from: number; polarity: Label | null };

/** A row of a dataset, a reviewed case, or a line of a CSV with one label. */
function readRow({ value, at }: DatasetRow): { text: string; language: LanguageCode | null; labels: Labelled[] } {
  const refuse = (why: string) => new ParleyError("bad_input", `${at}: ${why}`);
  const flat = isRecord(value.input) ? { ...value.input, ...(isRecord(value.gold) ? value.gold : {}) } : value;
  const text = findText(flat);
  if (text === undefined) throw refuse('no text; a row has a column "text", "review", "comment", "내용" or the like');
  const list = flat.aspects ?? flat.gold_tuples ?? ("polarity" in flat ? [flat] : value.gold);
  if (!Array.isArray(list)) throw refuse('no labels; a row has a list "aspects" of { term, polarity }');
  const labels = list.map((one: unknown): Labelled => {
    const columns = isRecord(one) ? one : {};
    const polarity = canonicalisePolarity(columns.polarity);
    const said = JSON.stringify(columns.polarity) ?? "nothing";
    if (polarity === null && !/^"(conflict|mixed)"$/.test(said))
      throw refuse(`${said} is no polarity; an aspect is positive, negative or neutral`);
    const term = findColumn(columns, ["term", "aspect_term", "aspect", "aspect_ref"]) ?? "";
    return { term, from: Number(columns.from ?? 0), polarity };
  });
  return { text, language: readLanguageCode(findColumn(flat, languageColumns)), labels };
}

function placeLabel(text: string, { term, from, polarity }: Labelled, leftOut: Record<string, number>) {
  const start = text.startsWith(term, from) ? from : text.indexOf(term);
  if (polarity !== null && term !== "" && start >= 0) return [{ span: { start, end: start + term.length }, polarity }];
  const why = polarity === null ? "labels of both polarities" : "labels whose term is not in their text";
  leftOut[why] = (leftOut[why] ?? 0) + 1;
  return [];
}
