import type { DatasetCase, DatasetFormat, DatasetRow } from "../../engine/pack.ts";
import { ruleCase, trickCase } from "./law-cases.ts";
import { hadoopCase, logCase, nezhaCase } from "./log-cases.ts";
import { gsmCase, medCase, mmluCase, strategyCase } from "./question-cases.ts";

/** The formats of packs that do not declare theirs yet; a pack's line goes when it has `datasets`. */
export const undeclaredFormats: Record<string, Record<string, DatasetFormat>> = {
  question: {
    gsm8k: rowByRow("questions with a number behind ####", gsmCase),
    strategyqa: rowByRow("yes/no questions", strategyCase),
    mmlu: rowByRow("multiple choice with subjects", mmluCase),
    medqa: rowByRow("multiple choice with lettered options", medCase),
  },
  law: {
    law_tricks: rowByRow("legal trick questions: {id, category, question, expected_behavior}", trickCase),
    law_rules: rowByRow("cases for a rule engine: {id, scenario, expected_symbolic_result}", ruleCase, "json"),
  },
  "root-cause": {
    hadoop_rca: rowByRow("labelled Hadoop runs: salient lines and template counts", hadoopCase),
    nezha_rca: rowByRow("faults of microservices: sampled traces, counts, a healthy reference", nezhaCase),
    logs: {
      about: "incidents: {id, lines: [log lines], gold: {category, component}}",
      read: async (file) => ({ cases: await Promise.all(file.rows("jsonl").map(logCase)) }),
    },
  },
};

type CaseOf = (row: DatasetRow, index: number) => DatasetCase;

function rowByRow(about: string, caseOf: CaseOf, layout: "jsonl" | "json" = "jsonl"): DatasetFormat {
  return { about, read: (file) => ({ cases: file.rows(layout).map(caseOf) }) };
}
