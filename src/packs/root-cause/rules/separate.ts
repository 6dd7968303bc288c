import type { Strands } from "../../../knowledge/incidents/index.ts";
import { type Hypothesis, reasonerNames } from "../schemas/hypothesis.ts";
import type { FinalHypothesis, Round, SeparateIncident } from "../schemas/round.ts";

/** What is worth less is no incident. */
const leastScore = 50;

/** What of a log decides which hypotheses are about separate incidents. */
export type Separation = { strands: Strands; locate: (ref: string | number) => { file: string | null; line: number } };

/**
 * The incidents beside the one that the final hypothesis is about: of each unrelated strand of trouble the hypothesis that the
 * judge scored best, as long as all of its log lines are of that strand (root-cause spec §4.8).
 */
export function listSeparate(
  rounds: Round[],
  final: FinalHypothesis | null,
  separation: Separation,
): SeparateIncident[] {
  const { strands } = separation;
  if (final === null || strands.list.length < 2) return [];
  const own = findStrand(final, separation);
  if (own === null) return [];
  const judged = rounds.flatMap(listJudged).toSorted((a, b) => b.judge_score - a.judge_score);
  return strands.list.flatMap(({ programs, firstMs }, strand): SeparateIncident[] => {
    const best =
      strand === own ? undefined : judged.find((one) => findStrand(one, separation) === strand && isFault(one));
    if (!best) return [];
    const { hypothesis, category, affected_components, confidence, judge_score, source, evidence, causal_path } = best;
    const words = { hypothesis, category, affected_components, confidence, judge_score, source };
    return [
      { programs, began: firstMs, ...words, evidence, causal_path, suggested_resolution: best.suggested_resolution },
    ];
  });
}

type Judged = Hypothesis & Pick<SeparateIncident, "judge_score" | "source">;

function listJudged({ hypotheses, judge_evaluation }: Round): Judged[] {
  const scores = new Map(judge_evaluation?.evaluated.map(({ id, judge_score }) => [id, judge_score]));
  return reasonerNames.flatMap((source) =>
    (hypotheses[source] ?? []).map((one) => ({ ...one, source, judge_score: scores.get(one.id) ?? 0 })),
  );
}

function isFault({ category, judge_score }: Judged): boolean {
  return category !== "none" && judge_score >= leastScore;
}

/** The strand that all cited lines are of; null when they are of several, or of none. */
function findStrand({ evidence }: Pick<Hypothesis, "evidence">, { strands, locate }: Separation): number | null {
  const lines = evidence.filter(({ kind }) => kind === "log").map(({ ref }) => locate(ref));
  const found = new Set(lines.flatMap((line) => strands.of({ lines: [line] }) ?? []));
  const [only] = found;
  return found.size === 1 ? (only ?? null) : null;
}
