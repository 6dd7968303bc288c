import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetFormat, DatasetRow } from "../../engine/pack.ts";

/** Makes a case of a row; `index` counts the rows from 0. */
type MakeCase = (row: DatasetRow, index: number) => DatasetCase;

const GsmSchema = z.looseObject({ question: z.string(), answer: z.string() });
const StrategySchema = z.looseObject({ qid: z.string().optional(), question: z.string(), answer: z.boolean() });
const MmluSchema = z.looseObject({
  subject: z.string(),
  question: z.string(),
  choices: z.array(z.string()).min(2),
  answer: z.int(),
});
const MedSchema = z.looseObject({
  question: z.string(),
  options: z.record(z.string(), z.string()),
  answer_idx: z.string(),
  realidx: z.int().optional(),
});

/** GSM8K: the number behind `####` is the key; the worked solution stays with the gold and is dropped. */
const makeGsmCase: MakeCase = (row, index) => {
  const { question, answer } = readRow(GsmSchema, row);
  const key = /####\s*(-?[\d,.]+)/.exec(answer)?.[1]?.replaceAll(",", "");
  if (key === undefined) throw new ParleyError("bad_input", `${row.at}: the answer has no number behind ####`);
  return {
    id: `gsm8k-${index + 1}`,
    input: { question, answer_type: "number" },
    gold: { answer: key, answer_type: "number" },
    strata: {},
    at: row.at,
  };
};

/** StrategyQA: yes or no; the facts that give the answer away are dropped. */
const makeStrategyCase: MakeCase = (row, index) => {
  const { qid, question, answer } = readRow(StrategySchema, row);
  const choices = ["yes", "no"].map((word) => ({ key: word, text: word }));
  const key = answer ? "yes" : "no";
  return {
    id: qid ?? `strategyqa-${index + 1}`,
    input: { question, choices },
    gold: { answer: key, choices },
    strata: { answer: key },
    at: row.at,
  };
};

/** MMLU: lettered choices, the key as an index. */
const makeMmluCase: MakeCase = (row, index) => {
  const { subject, question, choices, answer } = readRow(MmluSchema, row);
  const lettered = choices.map((text, i) => ({ key: String.fromCharCode(65 + i), text }));
  const key = lettered[answer]?.key;
  if (key === undefined)
    throw new ParleyError("bad_input", `${row.at}: answer ${answer} is not one of the ${choices.length} choices`);
  return {
    id: `mmlu-${index + 1}`,
    input: { question, choices: lettered },
    gold: { answer: key, choices: lettered },
    strata: { subject },
    at: row.at,
  };
};

/** MedQA: options by letter. */
const makeMedCase: MakeCase = (row, index) => {
  const { question, options, answer_idx, realidx } = readRow(MedSchema, row);
  const choices = Object.entries(options).map(([key, text]) => ({ key, text }));
  return {
    id: `medqa-${realidx ?? index + 1}`,
    input: { question, choices },
    gold: { answer: answer_idx, choices },
    strata: {},
    at: row.at,
  };
};

/** The public question sets that a study may name, one case per line (question spec §8.2). */
export const datasets: Record<string, DatasetFormat> = {
  gsm8k: readLines("questions with a number behind ####", makeGsmCase),
  strategyqa: readLines("yes/no questions", makeStrategyCase),
  mmlu: readLines("multiple choice with subjects", makeMmluCase),
  medqa: readLines("multiple choice with lettered options", makeMedCase),
};

function readLines(about: string, makeCase: MakeCase): DatasetFormat {
  return { about, read: (file) => ({ cases: file.rows("jsonl").map(makeCase) }) };
}

function readRow<T>(schema: z.ZodType<T>, { value, at }: DatasetRow): T {
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw new ParleyError(
    "bad_input",
    `${at}: ${parsed.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`).join("; ")}`,
  );
}
