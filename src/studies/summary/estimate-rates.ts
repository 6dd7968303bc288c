import type { Measure } from "../../engine/pack.ts";
import { createRandom } from "../../text/random.ts";
import { bootstrapStatistics } from "../statistics/bootstrap.ts";
import type { Interval } from "../statistics/interval.ts";
import { type ArmData, paired } from "./arm-data.ts";
import { computeRatesOver, rowsOf, type TallyMatrix, buildTallyMatrix } from "./tally-matrix.ts";

// oxlint-disable-next-line typescript/no-explicit-any
export type RateMeasure = Pick<Measure<any, any>, "rates" | "warnings">;

/** Corpus metrics of an arm with intervals: counts of resampled cases are summed and turned into rates again. */
export function estimateRates(data: ArmData, measure: RateMeasure): Record<string, Interval> {
  const { rates } = measure;
  if (!rates || data.cards.every((card) => Object.keys(card.tally).length === 0)) return {};
  const matrix = buildTallyMatrix(data);
  return bootstrapStatistics(matrix.ids.length, (indices) => computeRatesOver(matrix, indices, rates), {
    random: createRandom(matrix.ids.length),
  });
}

/** The differences `second − first` of two arms' corpus metrics over the cases that both have. */
export function compareRates(first: ArmData, second: ArmData, measure: RateMeasure): Record<string, Interval> {
  const { rates } = measure;
  if (!rates) return {};
  const [a, b] = pairMatrices(first, second);
  const differences = (indices: Int32Array): Record<string, number | null> => {
    const [before, after] = [computeRatesOver(a, indices, rates), computeRatesOver(b, indices, rates)];
    return Object.fromEntries(Object.keys(after).map((name) => [name, minus(after[name], before[name])]));
  };
  return bootstrapStatistics(a.ids.length, differences, { random: createRandom(a.ids.length) });
}

function pairMatrices(first: ArmData, second: ArmData): [TallyMatrix, TallyMatrix] {
  const { ids } = paired(first.byCase, second.byCase);
  return [rowsOf(buildTallyMatrix(first), ids), rowsOf(buildTallyMatrix(second), ids)];
}

function minus(after: number | null | undefined, before: number | null | undefined): number | null {
  return typeof after === "number" && typeof before === "number" ? after - before : null;
}
