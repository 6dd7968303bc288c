import { polarities } from "../schemas/stage1.ts";
import { stages } from "./tally.ts";

type Totals = Record<string, number>;

/** The rates of a set of cases from their summed counts (sentiment spec §10); null where a rate has no denominator. */
export function computeRates(totals: Totals): Record<string, number | null> {
  return { ...computeDebateRates(totals), ...(at(totals, "gold_cases") > 0 ? computeGoldRates(totals) : {}) };
}

function computeDebateRates(totals: Totals): Record<string, number | null> {
  const debated = at(totals, "debated");
  const [applied, low, conflict, confident] = ["applied", "low_signal", "conflict", "already_confident"].map((name) =>
    at(totals, `override_${name}`),
  ) as [number, number, number, number];
  return {
    debate_mapping_coverage: ratio(at(totals, "share_direct") + at(totals, "share_fallback"), debated),
    debate_mapping_direct_rate: ratio(at(totals, "share_direct"), debated),
    debate_mapping_fallback_rate: ratio(at(totals, "share_fallback"), debated),
    debate_mapping_none_rate: ratio(at(totals, "share_none"), debated),
    debate_fail_no_aspects_rate: ratio(at(totals, "fail_no_aspects"), at(totals, "turns")),
    debate_fail_no_match_rate: ratio(at(totals, "fail_no_match"), at(totals, "turns")),
    debate_fail_neutral_stance_rate: ratio(at(totals, "fail_neutral_stance"), at(totals, "turns")),
    debate_fail_fallback_used_rate: ratio(at(totals, "fail_fallback_used"), at(totals, "turns")),
    debate_override_applied: applied,
    debate_override_skipped_low_signal: low,
    debate_override_skipped_conflict: conflict,
    debate_override_skipped_already_confident: confident,
    debate_override_skipped_already_confident_rate: ratio(confident, applied + low + conflict + confident),
    adoption_rate: ratio(at(totals, "adopted"), at(totals, "cases")),
    polarity_conflict_rate: ratio(at(totals, "polarity_conflict"), at(totals, "cases")),
    aspect_hallucination_rate: ratio(at(totals, "aspect_hallucination"), at(totals, "cases")),
  };
}

function computeGoldRates(totals: Totals): Record<string, number | null> {
  const cases = at(totals, "gold_cases");
  const staged = stages.flatMap((stage) => [
    ...computePrf(totals, `${stage}_`, `tuple`, `_${stage}`),
    ...computePrf(totals, `${stage}_explicit_`, `explicit_tuple`, `_${stage}`),
    ...computePrf(totals, `${stage}_term_`, `aspect_term`, `_${stage}`),
    [`tuple_f1_macro_${stage}`, ratio(at(totals, `${stage}_f1_sum`), cases)] as const,
  ]);
  const [fix, broken, keep, still] = ["fix", "break", "keep", "still"].map((name) => at(totals, `n_${name}`)) as [
    number,
    number,
    number,
    number,
  ];
  return {
    ...Object.fromEntries(staged),
    n_fix: fix,
    n_break: broken,
    n_keep: keep,
    fix_rate: ratio(fix, fix + still),
    break_rate: ratio(broken, broken + keep),
    net_gain: ratio(fix - broken, cases),
    ...computePolarityRates(totals),
  };
}

function computePrf(totals: Totals, from: string, name: string, suffix: string): [string, number | null][] {
  const [tp, fp, fn] = ["tp", "fp", "fn"].map((part) => at(totals, `${from}${part}`)) as [number, number, number];
  return [
    [`${name}_precision${suffix}`, ratio(tp, tp + fp)],
    [`${name}_recall${suffix}`, ratio(tp, tp + fn)],
    [`${name}_f1${suffix}`, ratio(2 * tp, 2 * tp + fp + fn)],
  ];
}

/** Polarity on matched aspects: accuracy, and macro-F1 over the classes that occur. */
function computePolarityRates(totals: Totals): Record<string, number | null> {
  const cell = (gold: string, said: string) => at(totals, `confusion_${gold}_${said}`);
  const row = (gold: string) => polarities.reduce((sum, said) => sum + cell(gold, said), 0);
  const column = (said: string) => polarities.reduce((sum, gold) => sum + cell(gold, said), 0);
  const all = polarities.reduce((sum, gold) => sum + row(gold), 0);
  const right = polarities.reduce((sum, one) => sum + cell(one, one), 0);
  const classes = polarities.filter((one) => row(one) > 0);
  const f1 = classes.map((one) => (2 * cell(one, one)) / (row(one) + column(one)));
  return {
    polarity_accuracy: ratio(right, all),
    polarity_macro_f1: ratio(
      f1.reduce((a, b) => a + b, 0),
      classes.length,
    ),
  };
}

function at(totals: Totals, name: string): number {
  return totals[name] ?? 0;
}

function ratio(part: number, whole: number): number | null {
  return whole === 0 ? null : part / whole;
}
