import { deriveSeed } from "../../../text/random.ts";
import { findTemperature, type Scored } from "./calibrate.ts";
import { type Example, fit, type Label, score, toShares, type Weights } from "./fit.ts";
import { pickLabel, type Shares } from "./layer.ts";

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
