import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetFormat, DatasetRow } from "../../engine/pack.ts";

const TrickSchema = z.looseObject({
  id: z.string(),
  category: z.string(),
  question: z.string(),
  expected_behavior: z.string(),
});
const RuleCaseSchema = z.looseObject({
  id: z.string(),
  scenario: z.string(),
  expected_symbolic_result: z.string(),
  complexity: z.string().optional(),
});

/** Trick questions: where a refusal is expected the answer is D, insufficient; elsewhere the position is not judged. */
function makeTrickCase({ value, at }: DatasetRow): DatasetCase {
  const row = TrickSchema.safeParse(value);
  if (!row.success)
    throw new ParleyError("bad_input", `${at}: a trick question has id, category, question and expected_behavior`);
  const { id, category, question, expected_behavior } = row.data;
  const positions = expected_behavior === "refuse" ? ["D"] : [];
  return { id, input: { query: question }, gold: { positions }, strata: { category }, at };
}

/** Cases for a rule engine: they say what follows, not which position; only the stratum tells them apart. */
function makeRuleCase({ value, at }: DatasetRow): DatasetCase {
  const row = RuleCaseSchema.safeParse(value);
  if (!row.success)
    throw new ParleyError("bad_input", `${at}: a rule case has id, scenario and expected_symbolic_result`);
  const { id, scenario, expected_symbolic_result: expected, complexity } = row.data;
  const strata = { expected, ...(complexity ? { complexity } : {}) };
  return { id, input: { query: scenario }, gold: { positions: [] }, strata, at };
}

/** The dataset files of this domain that a study may name (law spec §8.3). */
export const datasets: Record<string, DatasetFormat> = {
  law_tricks: {
    about: "legal trick questions: {id, category, question, expected_behavior}",
    read: (file) => ({ cases: file.rows("jsonl").map(makeTrickCase) }),
  },
  law_rules: {
    about: "cases for a rule engine: {id, scenario, expected_symbolic_result}",
    read: (file) => ({ cases: file.rows("json").map(makeRuleCase) }),
  },
};
