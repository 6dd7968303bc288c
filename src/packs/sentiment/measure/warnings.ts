import type { Warning } from "../../../engine/pack.ts";
import type { WarningThresholds } from "../config/resolve-config.ts";

type Rule = { metric: string; warn: number; high: number; side: "below" | "above"; tip: string };

/** Warnings over a set of cases, each with a tip (sentiment spec §10). */
export function findWarnings(rates: Record<string, number | null>, thresholds: WarningThresholds): Warning[] {
  const rules: Rule[] = [
    {
      metric: "debate_mapping_coverage",
      warn: thresholds.coverage_warn,
      high: thresholds.coverage_high,
      side: "below",
      tip: "few turns could be mapped to an aspect: ask speakers to name aspects by their Stage 1 terms, or extend the language file's synonyms",
    },
    {
      metric: "debate_fail_no_match_rate",
      warn: thresholds.no_match_warn,
      high: thresholds.no_match_high,
      side: "above",
      tip: "many turns argue about nothing Stage 1 found: check Stage 1's recall and the synonyms of the language file",
    },
    {
      metric: "debate_fail_neutral_stance_rate",
      warn: thresholds.neutral_warn,
      high: thresholds.neutral_high,
      side: "above",
      tip: "many turns take no side and name no aspect: sharpen the personas' goals and stances",
    },
  ];
  return rules.flatMap(({ metric, warn, high, side, tip }): Warning[] => {
    const value = rates[metric];
    if (value === null || value === undefined) return [];
    const passes = (limit: number) => (side === "below" ? value < limit : value > limit);
    if (passes(high)) return [{ level: "high", metric, value, tip }];
    return passes(warn) ? [{ level: "warn", metric, value, tip }] : [];
  });
}
