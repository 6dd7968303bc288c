/** Learning: labelled texts as lessons, a layer fitted on them, and how good it is on texts it has not seen. */
import { createHash } from "node:crypto";
import { ParleyError } from "../../contract/error.ts";
import { deriveSeed } from "../../text/random.ts";
import type { LanguageCode } from "./reading/language.ts";
import {
  type Example,
  fit,
  type Label,
  labels,
  type Layer,
  parseLayer,
  pickLabel,
  printLayer,
  score,
  type Shares,
  toShares,
  type Weights,
} from "./learnt.ts";
import type { Polarity, Span } from "./reading/reading.ts";
import { readCategory } from "./views.ts";
import { readerOf } from "./reader.ts";

/** An aspect with its right polarity; without a place it is the text as a whole, or a category of it. */
export type LabelledAspect = { span: Span | null; category: string | null; polarity: Label };

/** A text whose aspects someone labelled. */
export type LabelledText = { text: string; aspects: LabelledAspect[] };

/** A labelled aspect as a layer is taught it, alone or with others of its text, beside what the rules say of it. */
export type Lesson = TextExample & { implicit: boolean; lone: boolean; near: Polarity; scoped: Polarity };

/** Makes the lessons of labelled texts. */
export function makeLessons(texts: readonly LabelledText[], language: LanguageCode): Lesson[] {
  return texts.flatMap((labelled) => [...teachNamed(labelled, language), ...teachImplicit(labelled, language)]);
}

function teachNamed({ text, aspects }: LabelledText, language: LanguageCode): Lesson[] {
  const named = aspects.flatMap(({ span, polarity }) => (span === null ? [] : [{ span, polarity }]));
  if (named.length === 0) return [];
  const reader = readerOf(language);
  const spans = named.map(({ span }) => span);
  const [features, near, scoped] = [reader.describe(text, spans), reader.near(text, spans), reader.scoped(text, spans)];
  return named.flatMap(({ polarity }, index) => {
    const own = features[index];
    if (own === undefined) return [];
    const said = { near: near[index]?.polarity ?? "neutral", scoped: scoped[index]?.polarity ?? "neutral" } as const;
    return [{ text, features: own, label: polarity, weight: 1, implicit: false, lone: named.length === 1, ...said }];
  });
}

function teachImplicit({ text, aspects }: LabelledText, language: LanguageCode): Lesson[] {
  const implicit = aspects.filter(({ span }) => span === null);
  return implicit.map(({ category, polarity }) => {
    const whole = readerOf(language).overall(text);
    const scoped = (category === null ? null : readCategory(text, language, category)) ?? whole;
    const features = readerOf(language).describeWhole(text, category, scoped);
    const said = { near: whole.polarity ?? "neutral", scoped: scoped.polarity ?? "neutral" } as const;
    return { text, features, label: polarity, weight: 1, implicit: true, lone: false, ...said };
  });
}

/** The short digest by which a layer knows a text that it was fitted on. */
export function digestText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

/** Where lessons come from, as the layer's file says it. */
export type Source = Layer["sources"][number];

/** A layer that was fitted, and what layers fitted on the other folds said of each lesson. */
export type Learnt = { layer: Layer; text: string; answers: Answer[] };

const fewest = 30;

/** Where a layer without a base starts: it says what the readings say. */
const readings: Weights = new Map(
  ["near", "scoped"].flatMap((reading): [string, [number, number]][] => [
    [`${reading} positive`, [1, -1]],
    [`${reading} negative`, [-1, 1]],
    [`${reading} neutral`, [-1, -1]],
    [`${reading} none`, [-1, -1]],
  ]),
);

/** Fits a layer on lessons, over the weights of `base` where one is given, and calibrates it by cross-validation. */
export function learnLayer(
  lessons: readonly Lesson[],
  { language, base, sources }: { language: LanguageCode; base: Layer | null; sources: Source[] },
): Learnt {
  if (lessons.length < fewest)
    throw new ParleyError(
      "bad_input",
      `a layer needs at least ${fewest} labelled aspects to learn from, not ${lessons.length}`,
    );
  if (new Set(lessons.map((lesson) => lesson.label)).size < 2)
    throw new ParleyError("bad_input", `every aspect has the label "${lessons[0]?.label}": there is nothing to learn`);
  const start = base?.weights ?? readings;
  const { temperature, answers } = crossValidate(lessons, start);
  const implicit = lessons.filter((lesson) => lesson.implicit).length;
  const lone = lessons.filter((lesson) => lesson.lone).length;
  const layer: Layer = {
    language,
    sources: [...(base?.sources ?? []), ...sources],
    examples: {
      named: (base?.examples.named ?? 0) + lessons.length - implicit,
      lone: (base?.examples.lone ?? 0) + lone,
      implicit: (base?.examples.implicit ?? 0) + implicit,
    },
    figures: measureAnswers(answers),
    temperature,
    seen: new Set([...(base?.seen ?? []), ...lessons.map((lesson) => digestText(lesson.text))]),
    weights: fit(lessons, start),
  };
  const text = printLayer(layer);
  return { layer: parseLayer(text, "the layer"), text, answers };
}

/** Accuracy, F1 averaged over the labels that occur, and how far confidence is off. */
export function measureAnswers(answers: readonly Answer[]): Layer["figures"] {
  const f1 = labels.flatMap((label) => {
    const gold = answers.filter((one) => one.label === label).length;
    const said = answers.filter((one) => one.said === label).length;
    const both = answers.filter((one) => one.label === label && one.right).length;
    return gold === 0 ? [] : [(2 * both) / (gold + said)];
  });
  const round = (value: number) => Math.round(value * 10_000) / 10_000;
  const right = answers.filter((one) => one.right).length;
  return {
    accuracy: round(answers.length === 0 ? 0 : right / answers.length),
    macro_f1: round(f1.length === 0 ? 0 : f1.reduce((sum, one) => sum + one, 0) / f1.length),
    miscalibration: round(measureMiscalibration(tabulateReliability(answers))),
  };
}

/** A labelled aspect with the text it is of; texts are never split between folds. */
export type TextExample = Example & { text: string };

const folds = 5;

/** What a layer fitted on the other folds says of each example, and the temperature that calibrates it. */
export function crossValidate(examples: readonly TextExample[], base: Weights) {
  const scored: Scored[] = examples.map(({ label, weight }) => ({ scores: [0, 0, 0], label, weight }));
  for (let fold = 0; fold < folds; fold += 1) {
    const isOut = ({ text }: TextExample) => deriveSeed(text) % folds === fold;
    const weights = fit(
      examples.filter((example) => !isOut(example)),
      base,
    );
    for (const [index, example] of examples.entries())
      if (isOut(example)) scored[index] = { ...(scored[index] as Scored), scores: score(weights, example.features) };
  }
  const temperature = findTemperature(scored);
  return { temperature, answers: scored.map((one) => answer(one, temperature)) };
}

/** What was said of an example, how surely, and whether it is right. */
export type Answer = { label: Label; said: Label; confidence: number; right: boolean };

function answer({ scores, label }: Scored, temperature: number): Answer {
  const [positive = 0, negative = 0, neutral = 0] = toShares(scores, temperature);
  return judgeShares({ positive, negative, neutral }, label);
}

/** The answer that shares come to, beside what is right. */
export function judgeShares(shares: Shares, label: Label): Answer {
  const said = pickLabel(shares);
  return { label, said, confidence: shares[said], right: said === label };
}

/** What a layer said of an aspect that it was not fitted on, and what is right. */
export type Scored = { scores: readonly number[]; label: Label; weight: number };

/** The temperature at which the shares are as likely as can be given what was right. */
export function findTemperature(scored: readonly Scored[]): number {
  const candidates = Array.from({ length: 61 }, (_, step) => 0.4 * 1.05 ** step);
  const losses = candidates.map((temperature) => measureLogLoss(scored, temperature));
  return Math.round((candidates[losses.indexOf(Math.min(...losses))] ?? 1) * 1000) / 1000;
}

/** The mean surprise at what was right, in nats. */
export function measureLogLoss(scored: readonly Scored[], temperature: number): number {
  const sum = scored.reduce((total, { scores, label, weight }) => {
    const share = toShares(scores, temperature)[labels.indexOf(label)] as number;
    return total - weight * Math.log(Math.max(1e-9, share));
  }, 0);
  return sum / scored.reduce((total, { weight }) => total + weight, 0);
}

/** A range of confidences: how many answers had one, how sure they were on average, and how many were right. */
export type ReliabilityRow = { from: number; to: number; answers: number; confidence: number; right: number };

const edges = [0, 0.5, 0.6, 0.7, 0.8, 0.9, 1];

/** Compares how sure answers were with how often they were right. */
export function tabulateReliability(answers: readonly { confidence: number; right: boolean }[]): ReliabilityRow[] {
  return edges.slice(1).map((to, index) => {
    const from = edges[index] as number;
    const own = answers.filter(({ confidence }) => confidence >= from && (confidence < to || to === 1));
    const mean = (list: number[]) => (list.length === 0 ? 0 : list.reduce((a, b) => a + b, 0) / list.length);
    return {
      from,
      to,
      answers: own.length,
      confidence: mean(own.map((one) => one.confidence)),
      right: mean(own.map((one) => (one.right ? 1 : 0))),
    };
  });
}

/** How far confidence and correctness lie apart, averaged over the answers. */
export function measureMiscalibration(rows: readonly ReliabilityRow[]): number {
  const total = rows.reduce((sum, row) => sum + row.answers, 0);
  const gaps = rows.reduce((sum, row) => sum + row.answers * Math.abs(row.confidence - row.right), 0);
  return total === 0 ? 0 : gaps / total;
}
