import type { DebateResult } from "../../contract/result.ts";
import type { Turn } from "../../contract/turn.ts";
import type { AnyPack } from "../../engine/pack.ts";
import type { StudyCase } from "../datasets/study-case.ts";
import type { JobKey, JudgedPosition, ResultRow, Scorecard } from "../results/scorecard.ts";

/** A finished run of a study, as far as scoring needs it; `result` is null when the run could not be carried through. */
export type RunToScore = {
  job: JobKey;
  runId: string | null;
  result: DebateResult | null;
  turns: Turn[];
  row: Pick<ResultRow, "cost" | "samples">;
};

/** Scores a run against the gold of its case; the only place where decision and gold meet. */
export function scoreRun(pack: AnyPack, one: StudyCase, run: RunToScore): Scorecard {
  const { measure } = pack;
  const decision: unknown = run.result?.decision ?? null;
  const judged = measure !== undefined && one.gold !== null;
  const scores = judged && decision !== null ? measure.score(decision, one.gold) : null;
  const primary = judged ? (scores === null ? 0 : (scores[measure.primary] ?? null)) : null;
  const right = primary === null ? null : primary >= 1 - 1e-9;
  const confidence = decision === null ? null : (measure?.confidence?.(decision) ?? null);
  return {
    ...run.job,
    run_id: run.runId,
    outcome: run.result?.outcome ?? "failed",
    scores,
    primary,
    right,
    confidence,
    graded: judged && decision !== null ? gradeDecision(pack, decision, one.gold, confidence, right) : [],
    tally: decision === null ? {} : (measure?.tally?.(decision, one.gold) ?? {}),
    positions: decision === null ? [] : judgePositions(pack, decision, run.turns, one.gold),
    strata: { ...(judged ? measure.strata?.(one.gold) : {}), ...one.strata },
    ...run.row,
  };
}

function gradeDecision(
  pack: AnyPack,
  decision: unknown,
  gold: unknown,
  confidence: number | null,
  right: boolean | null,
) {
  if (pack.measure?.graded) return pack.measure.graded(decision, gold);
  return confidence === null || right === null ? [] : [{ confidence, correct: right }];
}

function judgePositions(pack: AnyPack, decision: unknown, turns: Turn[], gold: unknown): JudgedPosition[] {
  const { measure } = pack;
  return (measure?.positions?.(decision, turns) ?? []).map(({ round, role, answer, item }) => ({
    round,
    role,
    item: item ?? null,
    answer,
    correct: gold === null || !measure?.isCorrect ? null : measure.isCorrect(answer, gold, item),
  }));
}
