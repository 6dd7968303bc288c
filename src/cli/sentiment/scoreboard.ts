import {
  type FinalOutput,
  computeRates,
  type SentimentConfig,
  type SentimentGold,
  tally,
  classifyTransition,
  findWarnings,
} from "../../packs/sentiment/index.ts";

/** Sums up decisions as they come, so that a long batch stays small. */
export type Scoreboard = ReturnType<typeof openScoreboard>;

export function openScoreboard(gold: ReadonlyMap<string, SentimentGold> | null) {
  const totals: Record<string, number> = {};
  const transitions: object[] = [];
  return {
    add(output: FinalOutput): void {
      const own = gold?.get(output.meta.text_id) ?? null;
      for (const [name, value] of Object.entries(tally(output, own))) totals[name] = (totals[name] ?? 0) + value;
      if (own === null) return;
      const kind = classifyTransition(output, own.tuples);
      if (kind === "fix" || kind === "break") transitions.push(buildTransition(kind, output, own));
    },
    rates: () => computeRates(totals),
    /** What the debate fixed and broke, case by case. */
    transitions: () => transitions,
    warnings: (thresholds: SentimentConfig["debate_thresholds"]) => findWarnings(computeRates(totals), thresholds),
    withoutGold: () => (totals.cases ?? 0) - (totals.gold_cases ?? 0),
  };
}

function buildTransition(kind: string, { meta, final_result }: FinalOutput, gold: SentimentGold): object {
  const { stage1_tuples, final_tuples } = final_result;
  return { text_id: meta.text_id, transition: kind, text: meta.text, gold: gold.tuples, stage1_tuples, final_tuples };
}
