/** A case that was answered with a confidence, or was not answered (`confidence: null`). */
export type Answered = { confidence: number | null; score: number };

/** `risk` is the mean loss (1 − score) of the `coverage` most confident share of all cases. */
export type RiskPoint = { coverage: number; risk: number; threshold: number };

export type RiskCoverage = { points: RiskPoint[]; aurc: number; coverage: number };

/**
 * The risk–coverage curve: what is risked when only the most confident answers are taken.
 * Unanswered cases are never covered; equal confidences enter together, and inside such a group the risk counts as its
 * average over all orders, so the area (AURC, over the covered share) does not depend on the order of the cases.
 */
export function riskCoverage(cases: Answered[]): RiskCoverage {
  const answered = cases
    .filter((one): one is { confidence: number; score: number } => one.confidence !== null)
    .sort((a, b) => b.confidence - a.confidence);
  const points: RiskPoint[] = [];
  let loss = 0;
  let area = 0;
  for (let start = 0; start < answered.length; ) {
    const threshold = answered[start]?.confidence as number;
    const end = groupEnd(answered, start);
    const groupLoss = answered.slice(start, end).reduce((sum, one) => sum + 1 - one.score, 0);
    const each = groupLoss / (end - start);
    for (let k = start + 1; k <= end; k++) area += (loss + each * (k - start)) / k;
    loss += groupLoss;
    points.push({ coverage: end / cases.length, risk: loss / end, threshold });
    start = end;
  }
  const covered = answered.length;
  return {
    points,
    aurc: covered === 0 ? 0 : area / covered,
    coverage: cases.length === 0 ? 0 : covered / cases.length,
  };
}

function groupEnd(sorted: { confidence: number }[], start: number): number {
  let end = start + 1;
  while (end < sorted.length && sorted[end]?.confidence === sorted[start]?.confidence) end++;
  return end;
}
