import { createRandom } from "../../text/random.ts";
import { bootstrapMean, type PairedDifference, pairedBootstrap } from "../statistics/bootstrap.ts";
import type { Interval } from "../statistics/interval.ts";
import { type ArmData, collectArmData, averageByCase, paired } from "./arm-data.ts";

/** How each arm did on one group of cases. */
export type StratumRow = {
  value: string;
  cases: number;
  arms: { arm: string; primary: Interval | null; difference: PairedDifference | null }[];
};
export type StratumTable = { name: string; rows: StratumRow[] };

const mostGroups = 24;

/** The primary metric by stratum (domain, difficulty, language…), each arm beside the reference; commonest groups first. */
export function summariseStrata(reference: ArmData, others: ArmData[]): StratumTable[] {
  const names = new Set(reference.cards.flatMap((card) => Object.keys(card.strata)));
  return [...names].map((name) => {
    const groups = Map.groupBy(reference.cards, (card) => card.strata[name] ?? "–");
    const values = [...groups].sort((a, b) => b[1].length - a[1].length || (a[0] < b[0] ? -1 : 1)).slice(0, mostGroups);
    return { name, rows: values.map(([value]) => buildStratumRow(name, value, [reference, ...others])) };
  });
}

function buildStratumRow(name: string, value: string, arms: ArmData[]): StratumRow {
  const parts = arms.map((arm) =>
    collectArmData(
      arm.name,
      arm.cards.filter((card) => (card.strata[name] ?? "–") === value),
    ),
  );
  const means = parts.map((part) => averageByCase(part, (card) => card.primary));
  return {
    value,
    cases: parts[0]?.byCase.size ?? 0,
    arms: parts.map((part, i) => ({ arm: part.name, ...summariseCell(means[0], means[i]) })),
  };
}

function summariseCell(reference = new Map<string, number>(), own = new Map<string, number>()) {
  const values = [...own.values()];
  const both = paired(own, reference);
  return {
    primary:
      values.length === 0 ? null : bootstrapMean(values, { random: createRandom(values.length), resamples: 1000 }),
    difference:
      own === reference || both.ids.length === 0
        ? null
        : pairedBootstrap(both.first, both.second, { random: createRandom(both.ids.length), resamples: 1000 }),
  };
}
