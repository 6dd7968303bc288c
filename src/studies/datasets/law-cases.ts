import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetRow } from "../../engine/pack.ts";

const TrickSchema = z.looseObject({
  id: z.string(),
  category: z.string(),
  question: z.string(),
  expected_behavior: z.string(),
});
const RuleSchema = z.looseObject({
  id: z.string(),
  scenario: z.string(),
  expected_symbolic_result: z.string(),
  complexity: z.string().optional(),
});

/** Trick questions: where a refusal is expected the answer is D, insufficient; elsewhere the position is not judged. */
export function trickCase({ value, at }: DatasetRow): DatasetCase {
  const row = TrickSchema.safeParse(value);
  if (!row.success)
    throw new ParleyError("bad_input", `${at}: a trick question has id, category, question and expected_behavior`);
  const { id, category, question, expected_behavior } = row.data;
  const positions = expected_behavior === "refuse" ? ["D"] : [];
  return { id, input: { query: question }, gold: { positions }, strata: { category }, at };
}

/** Cases for a rule engine: they say what follows, not which position; only the stratum tells them apart. */
export function ruleCase({ value, at }: DatasetRow): DatasetCase {
  const row = RuleSchema.safeParse(value);
  if (!row.success)
    throw new ParleyError("bad_input", `${at}: a rule case has id, scenario and expected_symbolic_result`);
  const { id, scenario, expected_symbolic_result: expected, complexity } = row.data;
  return {
    id,
    input: { query: scenario },
    gold: { positions: [] },
    strata: { expected, ...(complexity ? { complexity } : {}) },
    at,
  };
}
