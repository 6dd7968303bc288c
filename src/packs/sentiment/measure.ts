/** How sentiment decisions are measured (sentiment spec §10). */
import * as z from "zod";
import type {
  DatasetCase,
  DatasetFormat,
  DatasetReading,
  DatasetRow,
  Measure,
  Position,
  Warning,
} from "../../engine/pack.ts";
import { SentimentConfigSchema, type SentimentConfig } from "./config/config.ts";
import { tips } from "./prompts/read-prompts.ts";
import { canonicalisePolarity, readVote, tupleKeyOf } from "./rules/tuples.ts";
import type { FinalOutput } from "./schemas/output.ts";
import { type Polarity, PolaritySchema } from "./schemas/stage1.ts";
import { mappingFailures } from "./schemas/stage2.ts";

export type GoldTuple = { term: string; polarity: Polarity };

const GoldRowSchema = z.looseObject({
  aspect_term: z.string().nullish(),
  term: z.string().nullish(),
  polarity: z.preprocess((word) => canonicalisePolarity(word) ?? word, PolaritySchema),
});

/** Gold that rates an aspect both ways cannot be matched and is left out, as is usual for SemEval's `conflict`. */
const isConflict = (tuple: unknown) =>
  ["conflict", "mixed"].includes((tuple as { polarity?: string } | null)?.polarity ?? "");
const tuples = z.preprocess(
  (list) => (Array.isArray(list) ? list.filter((one) => !isConflict(one)) : list),
  z.array(GoldRowSchema),
);
export const SentimentGoldSchema = z
  .union([
    tuples,
    z.looseObject({ aspects: tuples }).transform(({ aspects }) => aspects),
    z.looseObject({ gold_tuples: tuples }).transform(({ gold_tuples }) => gold_tuples),
  ])
  .transform((list) => ({
    tuples: list.map(({ aspect_term, term, polarity }) => ({ term: (aspect_term ?? term ?? "").trim(), polarity })),
  }));
type SentimentGold = z.infer<typeof SentimentGoldSchema>;

export const datasets: Record<string, DatasetFormat> = {
  absa: {
    about: "aspect sentiment: {id, lang, domain, text, aspects: [{term, from, to, polarity}]}",
    read: (file) => readAbsaRows(file.rows("jsonl")),
  },
};

function readAbsaRows(rows: DatasetRow[]): DatasetReading {
  let conflicts = 0;
  const cases = rows.map(({ value, at }): DatasetCase => {
    const { id = at, lang, text, aspects } = value;
    const labels = Array.isArray(aspects) ? aspects.length : 0;
    const gold = SentimentGoldSchema.safeParse(aspects).data;
    conflicts += labels - (gold?.tuples.length ?? labels);
    const input = { text, ...(typeof lang === "string" && lang !== "" && { language_code: lang }) };
    return { id: String(id), input, gold: { aspects: gold?.tuples ?? aspects }, at };
  });
  return { cases, notes: conflicts > 0 ? [`${conflicts} labels of polarity "conflict" were left out`] : [] };
}

export const measure: Measure<FinalOutput, SentimentGold> = {
  gold: SentimentGoldSchema,
  primary: "tuple_f1",
  score: (decision, { tuples }) => {
    const f1 = (stage: StageName) => computeF1(matchTuples(tuplesOf(decision, stage), tuples));
    return { tuple_f1: f1("final"), tuple_f1_stage1: f1("stage1"), tuple_f1_stage2: f1("stage2") };
  },
  goldOf: ({ final_result }) => ({
    aspects: final_result.final_tuples.map(({ aspect_ref, polarity }) => ({ term: aspect_ref, polarity })),
  }),
  confidence: (decision) => decision.final_result.confidence,
  tally,
  rates: computeRates,
  warnings: (found) => findWarnings(found, SentimentConfigSchema.parse({}).debate_thresholds),
  positions: listPositions,
  datasets,
  isCorrect: (answer, { tuples }, item) =>
    tuples.some((tuple) => toTermForm(tuple.term) === toTermForm(item ?? "") && tuple.polarity === answer),
};

type SaidTuple = { aspect_ref: string; polarity: Polarity };

export type Matched = { tp: number; fp: number; fn: number };

export function matchTuples(said: readonly SaidTuple[], gold: readonly GoldTuple[]): Matched {
  const open = keepDistinct(said);
  const wanted = keepDistinct(gold.map(({ term, polarity }) => ({ aspect_ref: term, polarity })));
  const total = open.size;
  const left = [...wanted].filter(([key]) => !open.delete(key)).map(([, one]) => one);
  const missed = left.filter(({ aspect_ref, polarity }) => {
    const other = [...open].find(([, one]) => aspect_ref === "" && one.polarity === polarity);
    return other === undefined || !open.delete(other[0]);
  });
  const tp = wanted.size - missed.length;
  return { tp, fp: total - tp, fn: missed.length };
}

function keepDistinct(list: readonly SaidTuple[]): Map<string, SaidTuple> {
  const formed = list.map(({ aspect_ref, polarity }) => ({ aspect_ref: toTermForm(aspect_ref), polarity }));
  return new Map(formed.map((one) => [tupleKeyOf(one), one]));
}

export function toTermForm(term: string): string {
  return term
    .normalize("NFC")
    .toLowerCase()
    .replace(/\s+/g, " ")
    .replace(/^[^\p{L}\p{N}]+|[^\p{L}\p{N}]+$/gu, "");
}

export function computeF1({ tp, fp, fn }: Matched): number {
  return tp + fp + fn === 0 ? 1 : (2 * tp) / (2 * tp + fp + fn);
}

function listPositions({ debate, final_result }: FinalOutput): Position[] {
  const toPosition = (round: number, role: string) => (tuple: SaidTuple) => {
    return { round, role, answer: tuple.polarity, item: tuple.aspect_ref };
  };
  const opening = final_result.stage1_tuples.map(toPosition(0, "stage1"));
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
  return [...opening, ...spoken, ...debate.summary.final_tuples.map(toPosition(debate.rounds.length + 1, "judge"))];
}

const stages = ["stage1", "stage2", "final"] as const;
type StageName = (typeof stages)[number];

function tuplesOf(decision: FinalOutput, stage: StageName): SaidTuple[] {
  return decision.final_result[`${stage}_tuples`];
}

export function tally(decision: FinalOutput, gold: SentimentGold | null): Record<string, number> {
  const { review_context, meta } = decision;
  const mappings = Object.entries(review_context?.mapping_stats ?? {});
  const turns = mappings.reduce((sum, [, count]) => sum + count, 0);
  const fails = Object.entries(review_context?.mapping_fail_reasons ?? {});
  const override = meta.debate_override_stats;
  return {
    cases: 1,
    debated: turns > 0 ? 1 : 0,
    turns,
    ...Object.fromEntries(mappings.map(([kind, count]) => [`share_${kind}`, turns === 0 ? 0 : count / turns])),
    ...Object.fromEntries(fails.map(([reason, count]) => [`fail_${reason}`, count])),
    ...Object.fromEntries(overrides.map((name) => [`override_${name}`, override[name]])),
    adopted: meta.adopt_decision === "adopted" ? 1 : 0,
    ...(gold && countGold(decision, gold.tuples)),
  };
}

const overrides = ["applied", "skipped_low_signal", "skipped_conflict", "skipped_already_confident"] as const;

function countGold(decision: FinalOutput, gold: readonly GoldTuple[]): Record<string, number> {
  const matched = stages.map((stage) => matchTuples(tuplesOf(decision, stage), gold));
  const counts = stages.flatMap((stage, at) =>
    Object.entries(matched[at] ?? {}).map(([name, value]) => [`${stage}_${name}`, value] as const),
  );
  const isRight = matched.map((one) => computeF1(one) === 1);
  const kind = isRight[2] ? (isRight[0] ? "keep" : "fix") : isRight[0] ? "break" : "still";
  return { gold_cases: 1, ...Object.fromEntries(counts), [`n_${kind}`]: 1 };
}

type Totals = Readonly<Record<string, number>>;

export function computeRates(totals: Totals): Record<string, number | null> {
  const at = (name: string) => totals[name] ?? 0;
  const ratio = (part: number, whole: number) => (whole === 0 ? null : part / whole);
  const name = (prefix: string, names: readonly string[], valueOf: (one: string) => number | null, end = "") =>
    Object.fromEntries(names.map((one) => [`${prefix}_${one}${end}`, valueOf(one)]));
  const perCase = (kind: string) => ratio(at(`share_${kind}`), at("debated"));
  const gated = overrides.reduce((sum, one) => sum + at(`override_${one}`), 0);
  const rates = {
    debate_mapping_coverage: ratio(at("share_direct") + at("share_fallback"), at("debated")),
    ...name("debate_mapping", ["direct", "fallback", "none"], perCase, "_rate"),
    ...name("debate_fail", mappingFailures, (reason) => ratio(at(`fail_${reason}`), at("turns")), "_rate"),
    ...name("debate_override", overrides, (one) => at(`override_${one}`)),
    debate_override_skipped_already_confident_rate: ratio(at("override_skipped_already_confident"), gated),
    adoption_rate: ratio(at("adopted"), at("cases")),
  };
  if (at("gold_cases") === 0) return rates;
  const count = (part: keyof Matched) => (stage: string) => at(`${stage}_${part}`);
  const [tp, fp, fn] = [count("tp"), count("fp"), count("fn")];
  return {
    ...rates,
    ...name("tuple_precision", stages, (stage) => ratio(tp(stage), tp(stage) + fp(stage))),
    ...name("tuple_recall", stages, (stage) => ratio(tp(stage), tp(stage) + fn(stage))),
    ...name("tuple_f1", stages, (stage) => ratio(2 * tp(stage), 2 * tp(stage) + fp(stage) + fn(stage))),
    ...name("n", ["fix", "break", "keep"], (kind) => at(`n_${kind}`)),
    net_gain: ratio(at("n_fix") - at("n_break"), at("gold_cases")),
  };
}

export function findWarnings(
  rates: Record<string, number | null>,
  limits: SentimentConfig["debate_thresholds"],
): Warning[] {
  const { coverage_warn, coverage_high, no_match_warn, no_match_high, neutral_warn, neutral_high } = limits;
  const watched = [
    ["coverage", "debate_mapping_coverage", coverage_warn, coverage_high],
    ["no_match", "debate_fail_no_match_rate", no_match_warn, no_match_high],
    ["neutral", "debate_fail_neutral_stance_rate", neutral_warn, neutral_high],
  ] as const;
  return watched.flatMap(([name, metric, limit, high]): Warning[] => {
    const value = rates[metric] ?? null;
    const passes = (bound: number) => value !== null && (name === "coverage" ? value < bound : value > bound);
    const tip = tips[name] ?? "";
    return value === null || !passes(limit) ? [] : [{ level: passes(high) ? "high" : "warn", metric, value, tip }];
  });
}
