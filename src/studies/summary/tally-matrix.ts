import type { Measure } from "../../engine/pack.ts";
import type { ArmData } from "./arm-data.ts";

/** The counts of an arm's cases as numbers in rows, so that resampled sums are cheap. */
export type TallyMatrix = { ids: string[]; keys: string[]; rows: Float64Array[] };

// oxlint-disable-next-line typescript/no-explicit-any
type Rates = NonNullable<Measure<any, any>["rates"]>;

/** One row a case; the seeds of a case are summed. */
export function buildTallyMatrix(arm: ArmData): TallyMatrix {
  const keys = [...new Set(arm.cards.flatMap((card) => Object.keys(card.tally)))].sort();
  const ids = [...arm.byCase.keys()].sort();
  const rows = ids.map((id) => {
    const cards = arm.byCase.get(id) ?? [];
    return Float64Array.from(keys, (key) => cards.reduce((sum, card) => sum + (card.tally[key] ?? 0), 0));
  });
  return { ids, keys, rows };
}

/** The rates over some of the rows. */
export function computeRatesOver(
  matrix: TallyMatrix,
  indices: Iterable<number>,
  rates: Rates,
): Record<string, number | null> {
  const sums = new Float64Array(matrix.keys.length);
  for (const index of indices) {
    const row = matrix.rows[index] as Float64Array;
    for (let k = 0; k < sums.length; k++) sums[k] = (sums[k] as number) + (row[k] as number);
  }
  return rates(Object.fromEntries(matrix.keys.map((key, k) => [key, sums[k] as number])));
}

/** The rows of some cases, in their order. */
export function rowsOf(matrix: TallyMatrix, ids: string[]): TallyMatrix {
  const at = new Map(matrix.ids.map((id, i) => [id, i]));
  return { ...matrix, ids, rows: ids.map((id) => matrix.rows[at.get(id) ?? -1] as Float64Array) };
}
