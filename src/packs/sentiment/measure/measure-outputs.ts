import type { Warning } from "../../../engine/pack.ts";
import { SentimentConfigSchema, type WarningThresholds } from "../config/config.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { type SentimentGold, SentimentGoldSchema } from "./gold.ts";
import { rates } from "./rates.ts";
import { tally } from "./tally.ts";
import { warningsOf } from "./warnings.ts";

/** Metrics and warnings over outputs (spec section 10); `gold` holds tuples by text id, in any of the shapes of gold files. */
export function measureOutputs(
  outputs: Iterable<FinalOutput>,
  options: { gold?: Readonly<Record<string, unknown>>; thresholds?: Partial<WarningThresholds> } = {},
): { rates: Record<string, number | null>; warnings: Warning[] } {
  const totals: Record<string, number> = {};
  for (const output of outputs)
    for (const [name, value] of Object.entries(tally(output, goldOf(output, options.gold))))
      totals[name] = (totals[name] ?? 0) + value;
  const found = rates(totals);
  const { debate_thresholds } = SentimentConfigSchema.parse({ debate_thresholds: options.thresholds ?? {} });
  return { rates: found, warnings: warningsOf(found, debate_thresholds) };
}

function goldOf({ meta }: FinalOutput, gold: Readonly<Record<string, unknown>> = {}): SentimentGold | null {
  return Object.hasOwn(gold, meta.text_id) ? SentimentGoldSchema.parse(gold[meta.text_id]) : null;
}
