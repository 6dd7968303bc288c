import type { FinalOutput } from "../schemas/final-output.ts";
import type { Polarity } from "../schemas/stage1.ts";
import type { GoldTuple, SentimentGold } from "./gold.ts";
import { computeF1, matchTuples, type SaidTuple, toTermForm } from "./match-tuples.ts";

export const stages = ["stage1", "stage2", "final"] as const;
export type StageName = (typeof stages)[number];

/** The tuples of a stage. */
export function tuplesOf(decision: FinalOutput, stage: StageName): SaidTuple[] {
  return decision.final_result[`${stage}_tuples`];
}

/** The additive counts of one case: debate mapping and override always, quality where there is gold (sentiment spec §10). */
export function tally(decision: FinalOutput, gold: SentimentGold | null): Record<string, number> {
  const counts = { cases: 1, ...countDebate(decision), ...countStructure(decision) };
  return gold === null ? counts : { ...counts, ...countGold(decision, gold.tuples) };
}

function countDebate({ review_context, meta }: FinalOutput): Record<string, number> {
  const stats = review_context?.mapping_stats ?? { direct: 0, fallback: 0, none: 0 };
  const turns = stats.direct + stats.fallback + stats.none;
  const share = (count: number) => (turns === 0 ? 0 : count / turns);
  const fails = review_context?.mapping_fail_reasons ?? {
    no_aspects: 0,
    no_match: 0,
    neutral_stance: 0,
    fallback_used: 0,
  };
  const override = meta.debate_override_stats;
  return {
    debated: turns > 0 ? 1 : 0,
    turns,
    share_direct: share(stats.direct),
    share_fallback: share(stats.fallback),
    share_none: share(stats.none),
    ...Object.fromEntries(Object.entries(fails).map(([reason, count]) => [`fail_${reason}`, count])),
    override_applied: override.applied,
    override_low_signal: override.skipped_low_signal,
    override_conflict: override.skipped_conflict,
    override_already_confident: override.skipped_already_confident,
    adopted: meta.adopt_decision === "adopted" ? 1 : 0,
  };
}

function countStructure({ final_result, meta }: FinalOutput): Record<string, number> {
  const terms = final_result.final_tuples.map((tuple) => tuple.aspect_ref);
  const foreign = terms.some((term) => term !== "" && !meta.text.includes(term));
  return {
    polarity_conflict: new Set(terms).size < terms.length ? 1 : 0,
    aspect_hallucination: foreign ? 1 : 0,
  };
}

function countGold(decision: FinalOutput, gold: readonly GoldTuple[]): Record<string, number> {
  const counts: Record<string, number> = { gold_cases: 1 };
  const explicit = gold.filter((tuple) => tuple.term !== "");
  for (const stage of stages) {
    const said = tuplesOf(decision, stage);
    const matched = matchTuples(said, gold);
    const named = matchTuples(
      said.filter((tuple) => tuple.aspect_ref !== ""),
      explicit,
    );
    const terms = matchTuples(
      asTerms(said),
      explicit.map((one) => ({ ...one, polarity: "neutral" as const })),
    );
    for (const [name, value] of Object.entries(matched)) counts[`${stage}_${name}`] = value;
    for (const [name, value] of Object.entries(named)) counts[`${stage}_explicit_${name}`] = value;
    for (const [name, value] of Object.entries(terms)) counts[`${stage}_term_${name}`] = value;
    counts[`${stage}_f1_sum`] = computeF1(matched);
  }
  return { ...counts, ...countTransition(decision, gold), ...countPolarities(decision, explicit) };
}

/** Terms alone: every tuple under one polarity. */
function asTerms(said: readonly SaidTuple[]): SaidTuple[] {
  return said.filter((tuple) => tuple.aspect_ref !== "").map((tuple) => ({ ...tuple, polarity: "neutral" }));
}

/** What the debate did to a case: fixed it, broke it, kept it right, or left it wrong. */
export function classifyTransition(
  decision: FinalOutput,
  gold: readonly GoldTuple[],
): "fix" | "break" | "keep" | "still" {
  const right = (stage: StageName) => computeF1(matchTuples(tuplesOf(decision, stage), gold)) === 1;
  if (right("final")) return right("stage1") ? "keep" : "fix";
  return right("stage1") ? "break" : "still";
}

function countTransition(decision: FinalOutput, gold: readonly GoldTuple[]): Record<string, number> {
  const kind = classifyTransition(decision, gold);
  const gain = (stage: StageName) => {
    const { tp, fp, fn } = matchTuples(tuplesOf(decision, stage), gold);
    return { tp, wrong: fp + fn };
  };
  const [before, after] = [gain("stage1"), gain("final")];
  return {
    n_fix: kind === "fix" ? 1 : 0,
    n_break: kind === "break" ? 1 : 0,
    n_keep: kind === "keep" ? 1 : 0,
    n_still: kind === "still" ? 1 : 0,
    tuples_gained: Math.max(0, before.wrong - after.wrong),
    tuples_lost: Math.max(0, after.wrong - before.wrong),
  };
}

/** Polarity on aspects whose term was found: a confusion matrix. */
function countPolarities(decision: FinalOutput, gold: readonly GoldTuple[]): Record<string, number> {
  const counts: Record<string, number> = {};
  const said = new Map<string, Polarity>(
    decision.final_result.final_tuples.map((tuple) => [toTermForm(tuple.aspect_ref), tuple.polarity]),
  );
  for (const { term, polarity } of gold) {
    const found = said.get(toTermForm(term));
    if (found === undefined) continue;
    const key = `confusion_${polarity}_${found}`;
    counts[key] = (counts[key] ?? 0) + 1;
  }
  return counts;
}
