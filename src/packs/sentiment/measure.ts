import type { Measure, Warning } from "../../engine/pack.ts";
import { SentimentConfigSchema } from "./config.ts";
import type { WarningThresholds } from "./config/resolve-config.ts";
import type { FinalOutput } from "./schemas/final-output.ts";
import { type SentimentGold, SentimentGoldSchema } from "./measure/gold.ts";
import { computeF1, matchTuples, toTermForm } from "./measure/match-tuples.ts";
import { listPositions } from "./measure/positions.ts";
import { computeRates } from "./measure/rates.ts";
import { tally, tuplesOf } from "./measure/tally.ts";
import { findWarnings } from "./measure/warnings.ts";

/** How sentiment decisions are measured (sentiment spec §10); a case is right when its tuples are exactly the gold ones. */
export const measure: Measure<FinalOutput, SentimentGold> = {
  gold: SentimentGoldSchema,
  primary: "tuple_f1",
  score: (decision, { tuples }) => {
    const f1 = (stage: "stage1" | "stage2" | "final") => computeF1(matchTuples(tuplesOf(decision, stage), tuples));
    return { tuple_f1: f1("final"), tuple_f1_stage1: f1("stage1"), tuple_f1_stage2: f1("stage2") };
  },
  goldOf: ({ final_result }) => ({
    aspects: final_result.final_tuples.map(({ aspect_ref, polarity }) => ({ term: aspect_ref, polarity })),
  }),
  confidence: (decision) => decision.final_result.confidence,
  graded: (decision, { tuples }) =>
    decision.final_result.final_aspects.map(({ aspect_ref, polarity, confidence }) => ({
      confidence,
      correct: matchTuples([{ aspect_ref, polarity }], tuples).tp === 1,
    })),
  tally,
  rates: computeRates,
  warnings: (found) => findWarnings(found, SentimentConfigSchema.parse({}).debate_thresholds),
  positions: listPositions,
  isCorrect: (answer, { tuples }, item) =>
    tuples.some((tuple) => toTermForm(tuple.term) === toTermForm(item ?? "") && tuple.polarity === answer),
  strata: ({ domain, tuples }) => ({
    ...(domain === null ? {} : { domain }),
    polarities: [...new Set(tuples.map((tuple) => tuple.polarity))].sort().join("+") || "none",
  }),
};

/** Metrics and warnings over outputs (sentiment spec §10); `gold` holds tuples by text id, in any of the shapes of gold files. */
export function measureOutputs(
  outputs: Iterable<FinalOutput>,
  options: { gold?: Readonly<Record<string, unknown>>; thresholds?: Partial<WarningThresholds> } = {},
): { rates: Record<string, number | null>; warnings: Warning[] } {
  const totals: Record<string, number> = {};
  for (const output of outputs)
    for (const [name, value] of Object.entries(tally(output, findGold(output, options.gold))))
      totals[name] = (totals[name] ?? 0) + value;
  const found = computeRates(totals);
  const { debate_thresholds } = SentimentConfigSchema.parse({ debate_thresholds: options.thresholds ?? {} });
  return { rates: found, warnings: findWarnings(found, debate_thresholds) };
}

function findGold({ meta }: FinalOutput, gold: Readonly<Record<string, unknown>> = {}): SentimentGold | null {
  return Object.hasOwn(gold, meta.text_id) ? SentimentGoldSchema.parse(gold[meta.text_id]) : null;
}
