/** How sentiment decisions are measured (sentiment spec §10). */
import * as z from "zod";
import type { Measure, Position, Warning } from "../../engine/pack.ts";
import { SentimentConfigSchema, type SentimentConfig } from "./config/config.ts";
import { datasets } from "./datasets.ts";
import { canonicalisePolarity, readVote } from "./rules/tuples.ts";
import type { FinalOutput } from "./schemas/output.ts";
import { polarities, type Polarity, PolaritySchema } from "./schemas/stage1.ts";

/** A gold tuple; an empty term is an implicit aspect. */
export type GoldTuple = { term: string; polarity: Polarity };

const GoldRowSchema = z.looseObject({
  aspect_term: z.string().nullish(),
  term: z.string().nullish(),
  aspect_ref: z.string().nullish(),
  polarity: z.preprocess((word) => canonicalisePolarity(word) ?? word, PolaritySchema),
});

/** Gold that calls an aspect both ways cannot be matched and is left out, as is usual for SemEval's `conflict`. */
const tuples = z.preprocess(
  (list) => (Array.isArray(list) ? list.filter((one) => !isConflict(one)) : list),
  z.array(GoldRowSchema),
);

function isConflict(tuple: unknown): boolean {
  const polarity = (tuple as { polarity?: unknown } | null)?.polarity;
  return polarity === "conflict" || polarity === "mixed";
}

/** The gold of a case: its tuples, under `aspects`, `gold_tuples` or as the list itself; other columns name its strata. */
export const SentimentGoldSchema = z
  .union([
    tuples.transform((list) => ({ list, domain: undefined })),
    z
      .looseObject({ aspects: tuples, domain: z.string().optional() })
      .transform(({ aspects, domain }) => ({ list: aspects, domain })),
    z
      .looseObject({ gold_tuples: tuples, domain: z.string().optional() })
      .transform(({ gold_tuples, domain }) => ({ list: gold_tuples, domain })),
  ])
  .transform(({ list, domain }) => ({
    tuples: list.map((one): GoldTuple => ({ term: pickTerm(one), polarity: one.polarity })),
    domain: domain ?? null,
  }));
export type SentimentGold = z.infer<typeof SentimentGoldSchema>;

/** The surface term; a category under `aspect_ref` is not a term. */
function pickTerm({ aspect_term, term }: z.infer<typeof GoldRowSchema>): string {
  return (aspect_term ?? term ?? "").trim();
}

/** A case is right when its tuples are exactly the gold ones. */
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
  datasets,
  isCorrect: (answer, { tuples }, item) =>
    tuples.some((tuple) => toTermForm(tuple.term) === toTermForm(item ?? "") && tuple.polarity === answer),
  strata: ({ domain, tuples }) => ({
    ...(domain === null ? {} : { domain }),
    polarities: [...new Set(tuples.map((tuple) => tuple.polarity))].sort().join("+") || "none",
  }),
};

/** A tuple that was said. */
export type SaidTuple = { aspect_ref: string; polarity: Polarity };

/** How said tuples compare with gold, each gold and each said tuple used once. */
export type Matched = { tp: number; fp: number; fn: number };

/** Exact matches on term and polarity; a gold tuple without a term then takes an unused tuple of its polarity. */
export function matchTuples(said: readonly SaidTuple[], gold: readonly GoldTuple[]): Matched {
  const open = keepDistinct(said.map((one) => ({ term: toTermForm(one.aspect_ref), polarity: one.polarity })));
  const wanted = keepDistinct(gold.map((one) => ({ term: toTermForm(one.term), polarity: one.polarity })));
  const total = open.length;
  let tp = 0;
  const take = (test: (one: GoldTuple) => boolean): void => {
    const at = open.findIndex(test);
    if (at === -1) return;
    open.splice(at, 1);
    tp += 1;
  };
  for (const gold of wanted.filter((one) => one.term !== ""))
    take((one) => one.term === gold.term && one.polarity === gold.polarity);
  for (const gold of wanted.filter((one) => one.term === "")) take((one) => one.polarity === gold.polarity);
  return { tp, fp: total - tp, fn: wanted.length - tp };
}

/** A term as it is compared: trimmed, lower case, single spaces, no punctuation at its ends. */
export function toTermForm(term: string): string {
  return term
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

/** F1 from counts; nothing said where nothing was wanted is perfect. */
export function computeF1({ tp, fp, fn }: Matched): number {
  return tp + fp + fn === 0 ? 1 : (2 * tp) / (2 * tp + fp + fn);
}

function keepDistinct(list: GoldTuple[]): GoldTuple[] {
  return [...new Map(list.map((one) => [`${one.term}\u0000${one.polarity}`, one])).values()];
}

/** Where Stage 1, each speaker and the judge stood on each aspect. */
export function listPositions({ debate, final_result }: FinalOutput): Position[] {
  const opening = final_result.stage1_tuples.map(
    (tuple): Position => ({ round: 0, role: "stage1", answer: tuple.polarity, item: tuple.aspect_ref }),
  );
  if (debate?.style !== "patch") return opening;
  const spoken = debate.rounds.flatMap(({ round, turns }) =>
    turns.flatMap((turn) =>
      turn.proposed_edits.flatMap((edit): Position[] => {
        const { polarity, removal } = readVote(edit);
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

type Rule = { metric: string; warn: number; high: number; side: "below" | "above"; tip: string };

/** Warnings over a set of cases, each with a tip (sentiment spec §10). */
export function findWarnings(
  rates: Record<string, number | null>,
  thresholds: SentimentConfig["debate_thresholds"],
): Warning[] {
  const rules: Rule[] = [
    {
      metric: "debate_mapping_coverage",
      warn: thresholds.coverage_warn,
      high: thresholds.coverage_high,
      side: "below",
      tip: "few turns could be mapped to an aspect: ask speakers to name aspects by their Stage 1 terms, or extend the synonyms of the language",
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
