/**
 * Fits the English layer that ships with Parley, `data/sentiment/en/layer.json`, from the MAMS training set, from
 * product reviews and from the kinds of misreading in `examples/sentiment`: `node scripts/train-opinions.ts [--check]`. `--check` only measures the layer that is there;
 * `--without NAME --out FILE` leaves a set out, to measure on it with a layer that has not seen it (`npm run bench:sentiment -- --model FILE`).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import {
  judgeShares,
  type Label,
  learnLayer,
  type Layer,
  type Lesson,
  makeLessons,
  measureAnswers,
  parseLayer,
  readerOf,
  type Source,
  weighFeatures,
} from "../src/knowledge/opinions/index.ts";
import { type Dataset, loadDatasets, type Row } from "../bench/sentiment-data.ts";
import { lessonsOf } from "../bench/sentiment-lessons.ts";

const { values } = parseArgs({
  options: { check: { type: "boolean" }, without: { type: "string" }, out: { type: "string" } },
});
const data = process.env.PARLEY_DATA ?? join(import.meta.dirname, "../../shared/data");
const target = values.out ?? join(import.meta.dirname, "../data/sentiment/en/layer.json");
if (values.without !== undefined && values.out === undefined) {
  console.error("--without needs --out FILE: the layer that ships is fitted on all sets");
  process.exit(1);
}

/** MAMS keeps mere mentions at nearly half of its aspects, more than reviews do elsewhere: each counts for less. */
const mentionWeight = 0.7;

/** The product reviews label only what is judged; the other candidates of their texts are mentions, as far as a program can tell. */
const unlabelledWeight = 0.04;

/** Kinds of misreading, three texts each, written for Parley: few, and each stands for many. */
const misreadingWeight = 4;

const [mams] = loadDatasets([join(data, "absa_train/mams_atsa_train.jsonl")]);
const [products] = loadDatasets([join(data, "absa_en/product_reviews_1.jsonl")]);
const [heldOut] = loadDatasets([join(data, "absa_en/mams_atsa_val.jsonl")]);
const [misreadings] = loadDatasets([join(import.meta.dirname, "../examples/sentiment/misreadings.jsonl")]);
if (!mams || !products || !heldOut || !misreadings) {
  console.error(`no training data at ${data}; set PARLEY_DATA to a folder with absa_train and absa_en`);
  process.exit(1);
}

const parts = [
  { set: mams, lessons: lessonsOf(mams).map(weighMention) },
  { set: products, lessons: products.rows.flatMap(teachProduct) },
  { set: misreadings, lessons: misreadings.rows.flatMap(teachMisreading) },
].filter((part) => part.set.name !== values.without);
const layer = values.check ? parseLayer(readFileSync(target, "utf8"), target) : train();
printHeldOut(layer, lessonsOf(heldOut));

function train(): Layer {
  const lessons = parts.flatMap((part) => part.lessons);
  const learnt = learnLayer(lessons, { language: "en", base: null, sources: parts.map(describeSource) });
  writeFileSync(target, learnt.text);
  const size = Buffer.byteLength(learnt.text);
  console.log(`${learnt.layer.weights.size} weights, ${(size / 1e6).toFixed(2)} MB: ${target}`);
  let from = 0;
  for (const { set, lessons: own } of parts) {
    const answers = learnt.answers.slice(from, from + own.length);
    const labelled = answers.filter((_, index) => (own[index] as Lesson).weight > unlabelledWeight);
    console.log(`${set.name}, by cross-validation:`, measureAnswers(labelled));
    from += own.length;
  }
  return learnt.layer;
}

function weighMention(lesson: Lesson): Lesson {
  return { ...lesson, weight: lesson.label === "neutral" ? mentionWeight : 1 };
}

function teachMisreading(row: Row): Lesson[] {
  if (row.lang !== "en") return [];
  const set = { name: "", lang: "en" as const, rows: [row], hasNeutral: true };
  return lessonsOf(set).map((lesson) => ({ ...lesson, weight: misreadingWeight }));
}

/** What is judged is taught twice, by half each: as it is asked for by itself, and among all that its text names. */
function teachProduct({ text, aspects }: Row): Lesson[] {
  const judged = aspects.flatMap(({ term, from, to, polarity }) =>
    term ? [{ span: { start: from, end: to }, category: null, polarity: polarity as Label }] : [],
  );
  const mentions = readerOf("en")
    .candidates(text)
    .filter(({ span }) => !judged.some((one) => one.span.start < span.end && one.span.end > span.start))
    .map(({ span }) => ({ span, category: null, polarity: "neutral" as const }));
  const asked = makeLessons([{ text, aspects: judged }], "en");
  const among = makeLessons([{ text, aspects: [...judged, ...mentions] }], "en");
  return [...asked, ...among].map((lesson, index) => ({
    ...lesson,
    weight: index < 2 * judged.length ? 0.5 : unlabelledWeight,
  }));
}

function describeSource({ set, lessons }: { set: Dataset; lessons: readonly Lesson[] }): Source {
  const licence = set === products ? "CC BY 4.0" : "Apache-2.0";
  const texts = new Set(lessons.map((lesson) => lesson.text)).size;
  return { name: set.name, licence, texts, aspects: lessons.length };
}

function printHeldOut(fitted: Layer, lessons: readonly Lesson[]): void {
  const answers = lessons.map((lesson) => judgeShares(weighFeatures(fitted, lesson.features), lesson.label));
  console.log("mams_atsa_val, held out:", measureAnswers(answers));
}
