import { expect, test } from "vitest";
import type { DatasetFile, DatasetReading } from "../../engine/pack.ts";
import { LawInputSchema } from "./case.ts";
import { datasets } from "./datasets.ts";
import { LawGoldSchema } from "./measure.ts";

/** A file whose only rows are these. */
function fileOf(...values: Record<string, unknown>[]): DatasetFile {
  const rows = values.map((value, index) => ({ value, at: `x line ${index + 1}` }));
  return { path: "x", text: "", rows: () => rows };
}

const read = (format: string, ...values: Record<string, unknown>[]): DatasetReading | undefined =>
  datasets[format]?.read(fileOf(...values)) as DatasetReading | undefined;

const trick = { id: "T1", category: "citation_forgery", question: "Apa isi Pasal 9999?", expected_behavior: "refuse" };
const rule = { id: "R1", scenario: "Sawah kaum dijual.", expected_symbolic_result: "deny_inheritance" };

test("a trick question that must be refused expects position D; another is not judged by its position", () => {
  const cases = read("law_tricks", trick, { ...trick, id: "T2", expected_behavior: "answer" })?.cases ?? [];
  expect(cases.map(({ gold }) => LawGoldSchema.parse(gold).positions)).toEqual([["D"], []]);
  expect(LawInputSchema.parse(cases[0]?.input)).toEqual({ query: trick.question });
  expect(cases[0]?.strata).toEqual({ category: "citation_forgery" });
});

test("a rule case is told apart by what it expects, and by its complexity where it has one", () => {
  const cases = read("law_rules", rule, { ...rule, complexity: "HIGH" })?.cases ?? [];
  expect(cases.map(({ strata }) => strata)).toEqual([
    { expected: "deny_inheritance" },
    { expected: "deny_inheritance", complexity: "HIGH" },
  ]);
});

test("a row of another shape is refused by its place", () => {
  expect(() => read("law_tricks", trick, { id: "T2" })).toThrow("x line 2: a trick question has id");
  expect(() => read("law_rules", { ...rule, scenario: 5 })).toThrow("x line 1: a rule case has id");
});
