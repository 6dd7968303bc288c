import * as z from "zod";
import type { Measure } from "../../engine/pack.ts";
import type { RootCauseDecision } from "./decision.ts";
import { categories, CategorySchema } from "../../knowledge/incidents/index.ts";
import { pickTops } from "./rules/round.ts";

/** The key of an incident: what kind of fault it was, where it was, or both. */
export const RootCauseGoldSchema = z
  .strictObject({ category: CategorySchema.optional(), component: z.string().min(1).optional() })
  .refine(
    ({ category, component }) => category !== undefined || component !== undefined,
    "give a category or a component",
  );
export type RootCauseGold = z.infer<typeof RootCauseGoldSchema>;

/** Category and place against the key; a judge score is never reported as accuracy (root-cause spec §7). */
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
  confidence: ({ final_hypothesis }) => final_hypothesis?.confidence ?? null,
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
  strata: ({ category }) => (category ? { category } : noStrata),
};

const noStrata: Record<string, string> = {};

function categoryOf({ final_hypothesis }: RootCauseDecision): string | null {
  return final_hypothesis?.category ?? null;
}

function isAt({ final_hypothesis }: RootCauseDecision, component: string, within: number): boolean {
  const named = (final_hypothesis?.affected_components ?? []).slice(0, within).map((name) => name.toLowerCase());
  return named.includes(component.toLowerCase());
}

function isGrounded({ final_hypothesis }: RootCauseDecision): boolean {
  return (final_hypothesis?.evidence ?? []).some(({ kind }) => kind === "log");
}

/** Mean F1 over the categories that the key has. */
export function measureMacroF1(totals: Record<string, number>): number | null {
  const present = categories.filter((category) => (totals[`gold ${category}`] ?? 0) > 0);
  if (present.length === 0) return null;
  const f1 = (category: string) => {
    const [hit, said, gold] = ["hit", "said", "gold"].map((kind) => totals[`${kind} ${category}`] ?? 0);
    return (2 * (hit ?? 0)) / Math.max(1, (said ?? 0) + (gold ?? 0));
  };
  return present.reduce((sum, category) => sum + f1(category), 0) / present.length;
}
