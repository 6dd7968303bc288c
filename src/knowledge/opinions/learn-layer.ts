import { ParleyError } from "../../contract/error.ts";
import { digestText, type Lesson } from "./labelled-text.ts";
import type { LanguageCode } from "./language/language.ts";
import { measureMiscalibration, tabulateReliability } from "./learnt/calibrate.ts";
import { type Answer, crossValidate } from "./learnt/cross-validate.ts";
import { fit, labels, type Weights } from "./learnt/fit.ts";
import { type Layer, parseLayer, printLayer } from "./learnt/layer.ts";

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
