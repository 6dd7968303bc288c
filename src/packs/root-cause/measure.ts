import * as z from "zod";
import type { RootCauseDecision } from "./decision.ts";
import { categories, CategorySchema } from "../../contract/incident.ts";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetRow, Measure } from "../../engine/pack.ts";
import { pickTops } from "./rules/round.ts";

export const RootCauseGoldSchema = z
  .strictObject({
    category: CategorySchema.meta({ title: "What kind of cause was it?" }).optional(),
    component: z.string().min(1).meta({ title: "Which component?" }).optional(),
  })
  .refine(
    ({ category, component }) => category !== undefined || component !== undefined,
    "give a category or a component",
  );
export type RootCauseGold = z.infer<typeof RootCauseGoldSchema>;

/** Category and component against gold; a judge score is never reported as accuracy (root-cause spec §7). */
export const measure: Measure<RootCauseDecision, RootCauseGold> = {
  gold: RootCauseGoldSchema,
  primary: "correct",
  score: (decision, gold) => {
    const category = categoryOf(decision);
    const category_correct = gold.category === undefined ? null : Number(category === gold.category);
    const component_top1 = gold.component === undefined ? null : Number(isAt(decision, gold.component, 1));
    const component_any = gold.component === undefined ? null : Number(isAt(decision, gold.component, 99));
    const correct = (category_correct ?? 1) * (component_top1 ?? 1);
    return {
      correct,
      category_correct,
      component_top1,
      component_any,
      grounded: correct * Number(isGrounded(decision)),
    };
  },
  goldOf: (decision) => (categoryOf(decision) === null ? null : { category: categoryOf(decision) }),
  confidence: ({ final_hypothesis: final }) =>
    final === null ? null : Math.min(final.confidence, (final.judge_score ?? 100) / 100),
  tally: (decision, gold) => {
    if (!gold?.category) return {};
    const said = categoryOf(decision) ?? "no_answer";
    const counts = { [`gold ${gold.category}`]: 1, [`said ${said}`]: 1 };
    return said === gold.category ? { ...counts, [`hit ${gold.category}`]: 1 } : counts;
  },
  rates: (totals) => ({ macro_f1: measureMacroF1(totals) }),
  positions: (decision) =>
    decision.rounds.flatMap((round) =>
      pickTops(round).tops.map(({ source, hypothesis }) => ({
        round: round.round_number,
        role: source,
        answer: hypothesis.category,
      })),
    ),
  isCorrect: (answer, gold) => answer === gold.category,
  datasets: {
    logs: {
      about: "incidents: {id, lines: [log lines], gold: {category, component}}",
      read: (file) => ({ cases: file.rows("jsonl").map(makeLogCase) }),
    },
  },
};

const LogRowSchema = z.strictObject({
  id: z.string(),
  lines: z.array(z.string()).min(1),
  gold: z.unknown().optional(),
  strata: z.record(z.string(), z.string()).optional(),
});

function makeLogCase({ value, at }: DatasetRow): DatasetCase {
  const row = LogRowSchema.safeParse(value);
  if (!row.success)
    throw new ParleyError(
      "bad_input",
      `${at}: ${row.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`,
    );
  const { id, lines, gold = null } = row.data;
  return { id, input: { lines, name: "incident.log" }, gold, at };
}

function categoryOf({ final_hypothesis }: RootCauseDecision): string | null {
  return final_hypothesis?.category ?? null;
}

function isAt({ final_hypothesis }: RootCauseDecision, component: string, within: number): boolean {
  const named = (final_hypothesis?.affected_components ?? []).slice(0, within).map((name) => name.toLowerCase());
  return named.includes(component.toLowerCase());
}

function isGrounded({ final_hypothesis }: RootCauseDecision): boolean {
  return (final_hypothesis?.evidence ?? []).some(({ kind }) => kind !== "kg");
}

/** Mean F1 over the categories in gold. */
export function measureMacroF1(totals: Record<string, number>): number | null {
  const present = categories.filter((category) => (totals[`gold ${category}`] ?? 0) > 0);
  if (present.length === 0) return null;
  const f1 = (category: string) => {
    const [hit, said, gold] = ["hit", "said", "gold"].map((kind) => totals[`${kind} ${category}`] ?? 0);
    return (2 * (hit ?? 0)) / Math.max(1, (said ?? 0) + (gold ?? 0));
  };
  return present.reduce((sum, category) => sum + f1(category), 0) / present.length;
}
