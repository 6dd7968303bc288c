/**
 * Fits the layers that ship with Parley, `layer.json` (how an aspect is rated) and `aspects.json` (which noun phrases are
 * aspects) of each language in `data/sentiment`: `node scripts/train-opinions.ts [--check]`. English learns from the MAMS
 * training set, from product reviews and from sentences written for Parley (`examples/sentiment`, `bench/sentiment`), Korean
 * from those sentences alone. `--check` only measures the layers that are there; `--without NAME --out FILE` leaves an
 * English set out, to measure on it with a layer that has not seen it (`npm run bench:sentiment -- --model FILE`).
 */
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { parseArgs } from "node:util";
import { type Dataset, loadDatasets, type Row, toLabelledText } from "../bench/sentiment-data.ts";
import {
  judgeShares,
  type Label,
  type LanguageCode,
  type Layer,
  learnLayer,
  type Lesson,
  makeLessons,
  measureAccuracy,
  parseLayer,
  readerOf,
  weighFeatures,
} from "../src/knowledge/opinions/index.ts";

const { values } = parseArgs({
  options: { check: { type: "boolean" }, without: { type: "string" }, out: { type: "string" } },
});
const root = join(import.meta.dirname, "..");
const data = process.env.PARLEY_DATA ?? join(root, "../shared/data");
if (values.without !== undefined && values.out === undefined) {
  console.error("--without needs --out FILE: the bundled layer is fitted on all sets");
  process.exit(1);
}

/** MAMS keeps mere mentions at nearly half of its aspects, more than reviews do elsewhere: each counts for less. */
const mentionWeight = 0.7;

/** The product reviews label only what is judged; the other candidates of their texts are mentions, as far as a program can tell. */
const unlabelledWeight = 0.04;

/** Sentences that were written for Parley are few, and each stands for many. */
const ownWeight = 4;

/** Their bare facts are many more than reviews have. */
const ownMentionWeight = 0.3;

const aspectWeights = {
  mams: { named: 1, unnamed: 1 },
  products: { named: 0.5, unnamed: 0.04 },
  own: { named: 2, unnamed: 0.5 },
};

type Part = { set: Dataset; licence: string; lessons: Lesson[] };

const [mams] = loadDatasets([join(data, "absa_train/mams_atsa_train.jsonl")]);
const [products] = loadDatasets([join(data, "absa_en/product_reviews_1.jsonl")]);
const [heldOut] = loadDatasets([join(data, "absa_en/mams_atsa_val.jsonl")]);
const own = [
  "misreadings",
  "misreadings-fresh",
  "misreadings-idioms",
  "misreadings-later",
  "taught",
  "taught-second",
  "taught-third",
  "taught-fourth",
];
const examples = loadDatasets([
  ...own.map((name) => join(root, `examples/sentiment/${name}.jsonl`)),
  ...["own-sentences", "later-sentences"].map((name) => join(root, `bench/sentiment/${name}.jsonl`)),
]);
const [unseen] = loadDatasets([join(root, "examples/sentiment/misreadings-held-out.jsonl")]);
if (!mams || !products || !heldOut || !unseen) {
  console.error(`no training data at ${data}; set PARLEY_DATA to a folder with absa_train and absa_en`);
  process.exit(1);
}

trainAspects("en");
if (values.out === undefined) trainAspects("ko");
const english: Part[] = [
  { set: mams, licence: "Apache-2.0", lessons: listLessons(mams, "en").map(weighMention) },
  { set: products, licence: "CC BY 4.0", lessons: products.rows.flatMap(teachProduct) },
  ...teachOwn("en", ownWeight),
];
const korean = teachOwn("ko", 1);
finish("en", english, heldOut);
if (values.out === undefined) finish("ko", korean, unseen);

function teachOwn(language: LanguageCode, weight: number): Part[] {
  return examples.map((set) => {
    const lessons = listLessons(set, language).map((lesson) => ({
      ...lesson,
      weight: weight * (lesson.label === "neutral" ? ownMentionWeight : 1),
    }));
    return { set, licence: "Apache-2.0", lessons };
  });
}

/** Which noun phrases are aspects: those that a set labels. Only MAMS labels nearly all of them. */
function trainAspects(language: LanguageCode): void {
  if (values.check) return;
  const target =
    values.out === undefined ? join(root, `data/sentiment/${language}/aspects.json`) : `${values.out}.aspects`;
  const parts = [mams, products, ...examples].flatMap((set) => {
    const rows = set?.rows.filter(({ lang }) => lang === language) ?? [];
    return set === undefined || rows.length === 0 || set.name === values.without ? [] : [{ set, rows }];
  });
  const lessons = parts.flatMap(({ set, rows }) => {
    const { named, unnamed } = aspectWeights[set === mams ? "mams" : set === products ? "products" : "own"];
    return rows.flatMap(({ text, aspects }) =>
      readerOf(language)
        .nominate(text)
        .map(({ span, features }): Lesson => {
          const isNamed = aspects.some((one) => one.from === span.start && one.to === span.end);
          return { text, features, label: isNamed ? "positive" : "neutral", weight: isNamed ? named : unnamed };
        }),
    );
  });
  const sources = parts.map(({ set, rows }) => {
    const licence = set === products ? "CC BY 4.0" : "Apache-2.0";
    return { name: set.name, licence, texts: rows.length, aspects: rows.flatMap((row) => row.aspects).length };
  });
  const { text, layer } = learnLayer(lessons, { language, base: null, sources });
  writeFileSync(target, text);
  console.log(
    `${layer.weights.size} weights, ${(Buffer.byteLength(text) / 1e6).toFixed(2)} MB: ${target}:`,
    layer.accuracy,
  );
}

function listLessons({ rows }: Dataset, language: LanguageCode): Lesson[] {
  return makeLessons(rows.filter((row) => row.lang === language).map(toLabelledText), language);
}

function finish(language: LanguageCode, parts: readonly Part[], test: Dataset): void {
  const target = values.out ?? join(root, `data/sentiment/${language}/layer.json`);
  const kept = parts.filter(({ set }) => set.name !== values.without);
  const layer = values.check ? parseLayer(readFileSync(target, "utf8"), target) : train(language, kept, target);
  const answers = listLessons(test, language).map(({ features, label }) =>
    judgeShares(weighFeatures(layer, features), label),
  );
  console.log(`${test.name}, held out:`, measureAccuracy(answers));
}

function train(language: LanguageCode, parts: readonly Part[], target: string): Layer {
  const sources = parts.map(({ set, licence, lessons }) => {
    const texts = new Set(lessons.map((lesson) => lesson.text)).size;
    return { name: set.name, licence, texts, aspects: lessons.length };
  });
  const lessons = parts.flatMap((part) => part.lessons);
  const learnt = learnLayer(lessons, { language, base: null, sources });
  writeFileSync(target, learnt.text);
  console.log(
    `${learnt.layer.weights.size} weights, ${(Buffer.byteLength(learnt.text) / 1e6).toFixed(2)} MB: ${target}`,
  );
  const labelled = learnt.answers.filter((_, index) => (lessons[index] as Lesson).weight > unlabelledWeight);
  console.log("by cross-validation:", measureAccuracy(labelled));
  return learnt.layer;
}

function weighMention(lesson: Lesson): Lesson {
  return { ...lesson, weight: lesson.label === "neutral" ? mentionWeight : 1 };
}

/** What is judged is taught twice, by half each: as it is asked for by itself, and among all that its text names. */
function teachProduct({ text, aspects }: Row): Lesson[] {
  const judged = aspects.flatMap(({ term, from, to, polarity }) =>
    term ? [{ span: { start: from, end: to }, polarity: polarity as Label }] : [],
  );
  const mentions = readerOf("en")
    .candidates(text)
    .filter(({ span }) => !judged.some((one) => one.span.start < span.end && one.span.end > span.start))
    .map(({ span }) => ({ span, polarity: "neutral" as const }));
  const asked = makeLessons([{ text, aspects: judged }], "en");
  const among = makeLessons([{ text, aspects: [...judged, ...mentions] }], "en");
  return [...asked, ...among].map((lesson, index) => ({
    ...lesson,
    weight: index < 2 * judged.length ? 0.5 : unlabelledWeight,
  }));
}
