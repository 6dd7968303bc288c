import { absaCase, absaSentences } from "./absa-cases.ts";
import type { DatasetSpec } from "./dataset-schema.ts";
import { ruleCase, trickCase } from "./law-cases.ts";
import { hadoopCase, logCase, nezhaCase } from "./log-cases.ts";
import { mapRow } from "./map-row.ts";
import { gsmCase, medCase, mmluCase, strategyCase } from "./question-cases.ts";
import type { SourceText } from "./read-text.ts";
import { csvRows, jsonlRows, jsonRows, type Row } from "./rows.ts";
import { semevalSentences } from "./semeval-xml.ts";
import type { RawCase } from "./study-case.ts";

/** What a format made of a file: the cases, and what it left out. */
export type Read = { cases: RawCase[]; notes: string[] };

/** How a kind of file becomes cases; `mapped` formats take the mapping of the study file. */
export type Format = {
  about: string;
  mapped: boolean;
  read(source: SourceText, spec: DatasetSpec): Read | Promise<Read>;
};

type RowsOf = (text: string, path: string) => Row[];

/** Every format that a study may name. */
export const formats: Record<string, Format> = {
  jsonl: mapped("JSON Lines: {id, input, gold, strata}, or any columns with a mapping", jsonlRows),
  json: mapped("a JSON array of objects, as jsonl", jsonRows),
  csv: mapped("CSV with a header line (comma, semicolon or tab) and a mapping", csvRows),
  absa: {
    about: "aspect sentiment: {id, lang, domain, text, aspects: [{term, from, to, polarity}]}",
    mapped: false,
    read: ({ text, path }) => sentimentCases(absaSentences(jsonlRows(text, path)), path),
  },
  semeval_xml: {
    about: "aspect sentiment: SemEval 2014, 2015 or 2016 XML",
    mapped: false,
    read: ({ text, path }) => sentimentCases(semevalSentences(text, path), path),
  },
  gsm8k: own("questions with a number behind ####", gsmCase),
  strategyqa: own("yes/no questions", strategyCase),
  mmlu: own("multiple choice with subjects", mmluCase),
  medqa: own("multiple choice with lettered options", medCase),
  law_tricks: own("legal trick questions: {id, category, question, expected_behavior}", trickCase),
  law_rules: own("cases for a rule engine: {id, scenario, expected_symbolic_result}", ruleCase, jsonRows),
  hadoop_rca: own("labelled Hadoop runs: salient lines and template counts", hadoopCase),
  nezha_rca: own("faults of microservices: sampled traces, counts, a healthy reference", nezhaCase),
  logs: {
    about: "incidents: {id, lines: [log lines], gold: {category, component}}",
    mapped: false,
    read: async ({ text, path }) => ({ cases: await Promise.all(jsonlRows(text, path).map(logCase)), notes: [] }),
  },
};

function mapped(about: string, rowsOf: RowsOf): Format {
  return {
    about,
    mapped: true,
    read: ({ text, path }, { map }) => ({ cases: rowsOf(text, path).map((row) => mapRow(row, map)), notes: [] }),
  };
}

function own(about: string, caseOf: (row: Row, index: number) => RawCase, rowsOf: RowsOf = jsonlRows): Format {
  return { about, mapped: false, read: ({ text, path }) => ({ cases: rowsOf(text, path).map(caseOf), notes: [] }) };
}

function sentimentCases({ sentences, notes }: ReturnType<typeof absaSentences>, path: string): Read {
  return { cases: sentences.map((sentence) => absaCase(sentence, path)), notes };
}
