/** Learning: labelled texts as lessons, a layer fitted on them, and how good it is on texts it has not seen. */
import { createHash } from "node:crypto";
import { ParleyError } from "../../contract/error.ts";
import { deriveSeed } from "../../text/random.ts";
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
} from "./layer.ts";
import { readerOf } from "./reader.ts";
import type { LanguageCode } from "./reading/language.ts";
import type { Polarity, Span } from "./reading/reading.ts";
import { readCategory } from "./views.ts";

export type LabelledAspect = { span: Span | null; category: string | null; polarity: Label };

export type LabelledText = { text: string; aspects: LabelledAspect[] };

export type Lesson = Example & { text: string; implicit: boolean; near: Polarity; scoped: Polarity };

export function makeLessons(texts: readonly LabelledText[], language: LanguageCode): Lesson[] {
  const reader = readerOf(language);
  return texts.flatMap(({ text, aspects }) => {
    const named = aspects.flatMap(({ span, polarity }) => (span === null ? [] : [{ span, polarity }]));
    const readings = reader.read(
      text,
      named.map(({ span }) => span),
    );
    const lessons = readings.map(({ near, scoped, describe }, at): Lesson => {
      const said = { near: near.polarity ?? "neutral", scoped: scoped.polarity ?? "neutral" } as const;
      return {
        text,
        features: describe(),
        label: named[at]?.polarity ?? "neutral",
        weight: 1,
        implicit: false,
        ...said,
      };
    });
    const implicit = aspects.filter(({ span }) => span === null);
    return [...lessons, ...implicit.map((aspect) => teachImplicit(text, aspect, language))];
  });
}

function teachImplicit(text: string, { category, polarity }: LabelledAspect, language: LanguageCode): Lesson {
  const reader = readerOf(language);
  const whole = reader.overall(text);
  const scoped = (category === null ? null : readCategory(text, language, category)) ?? whole;
  const features = reader.describeWhole(text, category, scoped);
  const said = { near: whole.polarity ?? "neutral", scoped: scoped.polarity ?? "neutral" } as const;
  return { text, features, label: polarity, weight: 1, implicit: true, ...said };
}

export function digestText(text: string): string {
  return createHash("sha256").update(text).digest("hex").slice(0, 8);
}

export type Source = Layer["sources"][number];

export type Learnt = { layer: Layer; text: string; answers: Answer[] };

export const fewestLessons = 30;

const readings: Weights = new Map(
  ["near", "scoped"].flatMap((reading): [string, [number, number]][] => [
    [`${reading} positive`, [1, -1]],
    [`${reading} negative`, [-1, 1]],
    [`${reading} neutral`, [-1, -1]],
    [`${reading} none`, [-1, -1]],
  ]),
);

type LearnOptions = { language: LanguageCode; base: Layer | null; sources: Source[] };

export function learnLayer(lessons: readonly Lesson[], { language, base, sources }: LearnOptions): Learnt {
  if (lessons.length < fewestLessons)
    throw new ParleyError(
      "bad_input",
      `a layer needs at least ${fewestLessons} labelled aspects to learn from, not ${lessons.length}`,
    );
  if (new Set(lessons.map((lesson) => lesson.label)).size < 2)
    throw new ParleyError("bad_input", `every aspect has the label "${lessons[0]?.label}": there is nothing to learn`);
  const start = base?.weights ?? readings;
  const { temperature, answers } = crossValidate(lessons, start);
  const implicit = lessons.filter((lesson) => lesson.implicit).length;
  const layer: Layer = {
    language,
    sources: [...(base?.sources ?? []), ...sources],
    examples: {
      named: (base?.examples.named ?? 0) + lessons.length - implicit,
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
  };
}

export type Answer = { label: Label; said: Label; confidence: number; right: boolean };

export function judgeShares(shares: Shares, label: Label): Answer {
  const said = pickLabel(shares);
  return { label, said, confidence: shares[said], right: said === label };
}

const folds = 5;

type Scored = { scores: readonly number[]; label: Label; weight: number };

/** What a layer fitted on the other folds says of each lesson, and the temperature that calibrates it; a text is never split. */
function crossValidate(lessons: readonly Lesson[], base: Weights): { temperature: number; answers: Answer[] } {
  const foldOf = ({ text }: Lesson) => deriveSeed(text) % folds;
  const fitted = Array.from({ length: folds }, (_, fold) =>
    fit(
      lessons.filter((lesson) => foldOf(lesson) !== fold),
      base,
    ),
  );
  const scored = lessons.map((lesson): Scored => {
    const { label, weight, features } = lesson;
    return { scores: score(fitted[foldOf(lesson)] as Weights, features), label, weight };
  });
  const temperature = findTemperature(scored);
  const answers = scored.map(({ scores, label }) => {
    const [positive = 0, negative = 0, neutral = 0] = toShares(scores, temperature);
    return judgeShares({ positive, negative, neutral }, label);
  });
  return { temperature, answers };
}

function findTemperature(scored: readonly Scored[]): number {
  const surprise = (temperature: number) =>
    scored.reduce((total, { scores, label, weight }) => {
      const share = toShares(scores, temperature)[labels.indexOf(label)] as number;
      return total - weight * Math.log(Math.max(1e-9, share));
    }, 0);
  const candidates = Array.from({ length: 61 }, (_, step) => 0.4 * 1.05 ** step);
  const losses = candidates.map(surprise);
  return Math.round((candidates[losses.indexOf(Math.min(...losses))] ?? 1) * 1000) / 1000;
}
