import { normalCdf } from "./intervals.ts";

/** A stated confidence in 0..1 and how right it was: 0 or 1, or a score between. */
export type Stated = { confidence: number; score: number };

/** One bar of a reliability diagram: how many, and their mean confidence and accuracy. */
type Bin = { count: number; confidence: number; accuracy: number };

export type Calibration = { items: number; ece: number; bins: Bin[] };

/** Expected calibration error over equal-width bins, with the bins; null without an item. */
export function calibration(items: Stated[], binCount = 10): Calibration | null {
  if (items.length === 0) return null;
  const bins = Array.from({ length: binCount }, (): Bin => ({ count: 0, confidence: 0, accuracy: 0 }));
  for (const { confidence, score } of items) {
    const bin = bins[Math.min(binCount - 1, Math.max(0, Math.floor(confidence * binCount)))] as Bin;
    bin.count++;
    bin.confidence += confidence;
    bin.accuracy += score;
  }
  const filled = bins
    .filter((bin) => bin.count > 0)
    .map((bin) => ({ ...bin, confidence: bin.confidence / bin.count, accuracy: bin.accuracy / bin.count }));
  const gap = filled.reduce((sum, bin) => sum + bin.count * Math.abs(bin.accuracy - bin.confidence), 0);
  return { items: items.length, ece: gap / items.length, bins: filled };
}

/** A case that was answered with a confidence, or was not answered (`confidence: null`). */
export type Answered = { confidence: number | null; score: number };

/** What is lost on average (1 − score) when only the most confident share of all cases is acted on. */
export type RiskPoint = { coverage: number; wrong: number };

/** What is risked when only the most confident answers are taken; unanswered cases are never covered, equal confidences enter together. */
export function measureRisk(cases: readonly Answered[]): RiskPoint[] {
  const answered = cases
    .filter((one): one is { confidence: number; score: number } => one.confidence !== null)
    .sort((a, b) => b.confidence - a.confidence);
  let loss = 0;
  return answered.flatMap(({ confidence, score }, i) => {
    loss += 1 - score;
    if (answered[i + 1]?.confidence === confidence) return [];
    return [{ coverage: (i + 1) / cases.length, wrong: loss / (i + 1) }];
  });
}

/** How well a confidence tells right from wrong: the chance that a right case is the more confident, and its p-value against one half. */
export type Separation = { auc: number; p: number; right: number; wrong: number };

/** The rank test of Mann and Whitney, ties corrected; null without right and wrong cases. */
export function measureSeparation(cases: readonly { confidence: number; right: boolean }[]): Separation | null {
  const right = cases.filter((one) => one.right).length;
  const wrong = cases.length - right;
  if (right === 0 || wrong === 0) return null;
  const groups = [...Map.groupBy(cases, ({ confidence }) => confidence)].sort(([a], [b]) => a - b);
  let [below, ranks, ties] = [0, 0, 0];
  for (const [, group] of groups) {
    ranks += (below + (group.length + 1) / 2) * group.filter((one) => one.right).length;
    below += group.length;
    ties += group.length ** 3 - group.length;
  }
  const auc = (ranks - (right * (right + 1)) / 2) / (right * wrong);
  const n = cases.length;
  const variance = (n + 1 - ties / (n * Math.max(1, n - 1))) / (12 * right * wrong);
  return { auc, p: variance <= 0 ? 1 : 2 * (1 - normalCdf(Math.abs(auc - 0.5) / Math.sqrt(variance))), right, wrong };
}
