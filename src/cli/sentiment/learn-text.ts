import { type Learnt, tabulateReliability } from "../../knowledge/opinions/index.ts";
import type { Interval } from "../../studies/statistics/interval.ts";
import { formatTable } from "../../text/text-table.ts";
import type { Comparison } from "./compare-layers.ts";
import type { LabelledFile } from "./labelled-file.ts";

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
  const reliability = tabulateReliability(learnt.answers).map(({ from, to, answers, confidence, right }) => [
    `${from.toFixed(1)} to ${to.toFixed(1)}`,
    String(answers),
    answers === 0 ? "–" : share(confidence),
    answers === 0 ? "–" : share(right),
  ]);
  return [
    `${file.name}: ${file.texts.length} texts, ${aspects} labelled aspects, language ${file.language}`,
    ...Object.entries(file.leftOut).map(([reason, count]) => `  left out: ${count} ${reason}`),
    "",
    ...formatTable([["", "accuracy", "95 % interval", "macro-F1", "aspects"], ...rows], new Set([1, 3, 4])),
    "",
    `learnt against ${gain.over}: ${signed(gain.difference.estimate)} (${between(gain.difference, signed)}) on ${gain.aspects} aspects`,
    "",
    ...formatTable([["confidence", "answers", "mean", "right"], ...reliability], new Set([1, 2, 3])),
    "",
  ].join("\n");
}
