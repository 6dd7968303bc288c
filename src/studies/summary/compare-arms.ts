import { createRandom } from "../../text/random.ts";
import { type PairedDifference, pairedBootstrap } from "../statistics/bootstrap.ts";
import { holm } from "../statistics/holm.ts";
import type { Interval } from "../statistics/interval.ts";
import { cohensKappa, type Kappa } from "../statistics/kappa.ts";
import { type McNemar, mcnemarOf } from "../statistics/mcnemar.ts";
import { type ArmData, averageByCase, judgeByCase, paired } from "./arm-data.ts";
import { type RateMeasure, compareRates } from "./estimate-rates.ts";

/** The reference arm against another one, on the cases that both have; positive means the reference is better. */
export type Comparison = {
  arm: string;
  cases: number;
  /** Of the primary metric; `holm` is its p-value corrected for the number of arms compared. */
  difference: PairedDifference & { holm: number };
  mcnemar: McNemar & { holm: number };
  /** Agreement in being right, beyond chance. */
  kappa: Kappa;
  metrics: Record<string, Interval>;
  rates: Record<string, Interval>;
  /** Cases that only one of the two has right. */
  onlyReference: string[];
  onlyOther: string[];
};

/** Compares the reference with each other arm that has cases in common with it; p-values are corrected over all arms. */
export function compareArms(reference: ArmData, others: ArmData[], measure: RateMeasure | undefined): Comparison[] {
  const plain = others.map((other) => compare(reference, other, measure)).filter((one) => one !== null);
  const differenceHolm = holm(plain.map((one) => one.difference.p));
  const mcnemarHolm = holm(plain.map((one) => one.mcnemar.exactP));
  return plain.map((one, i) => ({
    ...one,
    difference: { ...one.difference, holm: differenceHolm[i] as number },
    mcnemar: { ...one.mcnemar, holm: mcnemarHolm[i] as number },
  }));
}

type Plain = Omit<Comparison, "difference" | "mcnemar"> & { difference: PairedDifference; mcnemar: McNemar };

function compare(reference: ArmData, other: ArmData, measure: RateMeasure | undefined): Plain | null {
  const primary = paired(
    averageByCase(other, (card) => card.primary),
    averageByCase(reference, (card) => card.primary),
  );
  if (primary.ids.length === 0) return null;
  const right = paired(judgeByCase(other), judgeByCase(reference));
  const differing = (mine: boolean): string[] =>
    right.ids.filter((_, i) => right.second[i] === mine && right.first[i] === !mine);
  return {
    arm: other.name,
    cases: primary.ids.length,
    difference: pairedBootstrap(primary.first, primary.second, {
      random: createRandom(primary.ids.length),
      resamples: 5000,
    }),
    mcnemar: mcnemarOf(right.second, right.first),
    kappa: cohensKappa(right.second.map(String), right.first.map(String)),
    metrics: compareMetrics(reference, other),
    rates: measure ? compareRates(other, reference, measure) : {},
    onlyReference: differing(true),
    onlyOther: differing(false),
  };
}

function compareMetrics(reference: ArmData, other: ArmData): Record<string, Interval> {
  const names = new Set(reference.cards.flatMap((card) => Object.keys(card.scores ?? {})));
  const entries = [...names].flatMap((name) => {
    const valueOf = (card: ArmData["cards"][number]): number | null => card.scores?.[name] ?? null;
    const { first, second } = paired(averageByCase(other, valueOf), averageByCase(reference, valueOf));
    if (first.length === 0) return [];
    const { estimate, low, high } = pairedBootstrap(first, second, {
      random: createRandom(first.length),
      resamples: 1000,
    });
    return [[name, { estimate, low, high }] as const];
  });
  return Object.fromEntries(entries);
}
