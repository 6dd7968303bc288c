import type { CaseTurns } from "../../schemas/case-turns.ts";
import type { TraceEntry } from "../../schemas/final-output.ts";
import type { Moderation } from "../../schemas/outcome.ts";

/** What was said and decided, in order (sentiment spec §8). */
export function traceProcess(turns: CaseTurns, moderator: Moderation | null): TraceEntry[] {
  const { stage1, debate, stage2 } = turns;
  const entry = (stage: string, agent: string, output: unknown): TraceEntry => ({ stage, agent, output });
  return [
    entry("stage1", "ATE", { aspects: stage1.aspects }),
    entry("stage1", "ATSA", { aspect_sentiments: stage1.aspect_sentiments }),
    ...(stage1.validator ? [entry("stage1", "Validator", stage1.validator)] : []),
    ...(debate?.rounds.flatMap(({ turns: spoken }) => spoken.map((turn) => entry("debate", turn.agent, turn))) ?? []),
    ...(debate?.summary ? [entry("debate_judge", "DebateJudge", debate.summary)] : []),
    ...(stage2
      ? [
          entry("stage2", "ATE", { aspect_review: stage2.aspect_review }),
          entry("stage2", "ATSA", { sentiment_review: stage2.sentiment_review }),
        ]
      : []),
    ...(stage2?.validator ? [entry("stage2", "Validator", stage2.validator)] : []),
    ...(moderator ? [entry("moderator", "Moderator", moderator)] : []),
  ];
}
