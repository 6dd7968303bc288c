import type { Measure, Position } from "../../../engine/pack.ts";
import { SentimentConfigSchema } from "../config/config.ts";
import { voteOf } from "../debate/ground-edits.ts";
import type { FinalOutput } from "../schemas/final-output.ts";
import { type SentimentGold, SentimentGoldSchema } from "./gold.ts";
import { f1Of, matchTuples, termForm } from "./match-tuples.ts";
import { rates } from "./rates.ts";
import { tally, tuplesAt } from "./tally.ts";
import { warningsOf } from "./warnings.ts";

/** How sentiment decisions are measured (spec section 10); a case is right when its tuples are exactly the gold ones. */
export const measure: Measure<FinalOutput, SentimentGold> = {
  gold: SentimentGoldSchema,
  primary: "tuple_f1",
  score: (decision, { tuples }) => {
    const f1 = (stage: "stage1" | "stage2" | "final") => f1Of(matchTuples(tuplesAt(decision, stage), tuples));
    return { tuple_f1: f1("final"), tuple_f1_stage1: f1("stage1"), tuple_f1_stage2: f1("stage2") };
  },
  confidence: (decision) => decision.final_result.confidence,
  graded: (decision, { tuples }) =>
    decision.final_result.final_aspects.map(({ aspect_ref, polarity, confidence }) => ({
      confidence,
      correct: matchTuples([{ aspect_ref, polarity }], tuples).tp === 1,
    })),
  tally,
  rates,
  warnings: (found) => warningsOf(found, SentimentConfigSchema.parse({}).debate_thresholds),
  positions,
  isCorrect: (answer, { tuples }, item) =>
    tuples.some((tuple) => termForm(tuple.term) === termForm(item ?? "") && tuple.polarity === answer),
  strata: ({ domain, tuples }) => ({
    ...(domain === null ? {} : { domain }),
    polarities: [...new Set(tuples.map((tuple) => tuple.polarity))].sort().join("+") || "none",
  }),
};

/** Where Stage 1, each speaker and the judge stood on each aspect. */
function positions({ debate, final_result }: FinalOutput): Position[] {
  const opening = final_result.stage1_tuples.map(
    (tuple): Position => ({ round: 0, role: "stage1", answer: tuple.polarity, item: tuple.aspect_ref }),
  );
  if (debate?.style !== "patch") return opening;
  const spoken = debate.rounds.flatMap(({ round, turns }) =>
    turns.flatMap((turn) =>
      turn.proposed_edits.flatMap((edit): Position[] => {
        const { polarity, removal } = voteOf(edit);
        const answer = removal ? "none" : polarity;
        return answer === null ? [] : [{ round, role: turn.speaker, answer, item: edit.target.aspect_ref }];
      }),
    ),
  );
  const judged = debate.summary.final_tuples.map(
    (tuple): Position => ({
      round: debate.rounds.length + 1,
      role: "judge",
      answer: tuple.polarity,
      item: tuple.aspect_ref,
    }),
  );
  return [...opening, ...spoken, ...judged];
}
