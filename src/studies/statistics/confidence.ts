import { normalCdf } from "./intervals.ts";

/** What is lost on average (1 − score) when only the most confident share of all cases is acted on. */
export type RiskPoint = { coverage: number; wrong: number };

export function measureRisk(cases: readonly { confidence: number; score: number }[]): RiskPoint[] {
  let loss = 0;
  return cases
    .toSorted((a, b) => b.confidence - a.confidence)
    .map(({ score }, i) => {
      loss += 1 - score;
      return { coverage: (i + 1) / cases.length, wrong: loss / (i + 1) };
    });
}

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
