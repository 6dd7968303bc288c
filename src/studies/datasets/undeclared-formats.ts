import type { DatasetCase, DatasetFormat, DatasetRow } from "../../engine/pack.ts";
import { ruleCase, trickCase } from "./law-cases.ts";

/** The formats of packs that do not declare theirs yet; a pack's line goes when it has `datasets`. */
export const undeclaredFormats: Record<string, Record<string, DatasetFormat>> = {
  law: {
    law_tricks: rowByRow("legal trick questions: {id, category, question, expected_behavior}", trickCase),
    law_rules: rowByRow("cases for a rule engine: {id, scenario, expected_symbolic_result}", ruleCase, "json"),
  },
};

type CaseOf = (row: DatasetRow, index: number) => DatasetCase;

function rowByRow(about: string, caseOf: CaseOf, layout: "jsonl" | "json" = "jsonl"): DatasetFormat {
  return { about, read: (file) => ({ cases: file.rows(layout).map(caseOf) }) };
}
