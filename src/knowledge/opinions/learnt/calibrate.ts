import { type Label, labels, toShares } from "./fit.ts";

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
