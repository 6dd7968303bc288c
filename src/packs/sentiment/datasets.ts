/** The files of labelled aspects that a study may name (sentiment spec §10). */
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetFormat, DatasetReading, DatasetRow } from "../../engine/pack.ts";
import { isRecord } from "../../text/json.ts";

export const datasets: Record<string, DatasetFormat> = {
  absa: {
    about: "aspect sentiment: {id, lang, domain, text, aspects: [{term, from, to, polarity}]}",
    read: (file) => readAbsaRows(file.rows("jsonl")),
  },
  recorded: {
    about: "debates that were held elsewhere: {id, text, language_code, gold, trace or stage1, debate, stage2}",
    read: (file) => readRecordedDebates(file.rows("jsonl")),
  },
};

const RecordedRowSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).transform(String),
  text: z.string(),
  language_code: z.string().nullish(),
  domain: z.string().nullish(),
  gold: z.unknown(),
});

function readRecordedDebates(rows: DatasetRow[]): DatasetReading {
  const read = rows.map(({ value, at }) => ({ ...readRow(RecordedRowSchema, value, at), at }));
  const texts = [...Map.groupBy(read, ({ id }) => id).values()];
  const cases = texts.map(([first, ...others]): DatasetCase => {
    const { id, text, language_code, gold, at } = first as (typeof read)[number];
    const other = others.find((one) => one.text !== text || JSON.stringify(one.gold) !== JSON.stringify(gold));
    if (other) throw new ParleyError("bad_input", `${other.at}: another text or gold than "${id}" has at ${at}`);
    const input = { text, ...(language_code ? { language_code } : {}), recorded: [first, ...others].map(pickTurns) };
    return { id, input, gold: gold ?? null, at };
  });
  const most = Math.max(0, ...texts.map((own) => own.length));
  const notes = most < 2 ? [] : [`${read.length} recorded debates of ${texts.length} texts; a seed takes one of each`];
  return { cases, notes };
}

function pickTurns(row: Record<string, unknown> = {}) {
  const trace = Array.isArray(row.trace) ? row.trace.map(pickEntry) : undefined;
  return {
    stage1: row.stage1 ?? trace ?? null,
    debate: row.debate ?? trace ?? null,
    stage2: row.stage2 ?? trace ?? null,
  };
}

function pickEntry(entry: unknown): unknown {
  if (!isRecord(entry)) return entry;
  const { stage, agent, output } = entry;
  return { stage, agent, output };
}

function readRow<T>(schema: z.ZodType<T>, value: unknown, at: string): T {
  const row = schema.safeParse(value);
  if (row.success) return row.data;
  const problems = row.error.issues.map((issue) => `${issue.path.join(".")}: ${issue.message}`);
  throw new ParleyError("bad_input", `${at}: ${problems.join("; ")}`);
}

const AbsaRowSchema = z.looseObject({
  id: z.union([z.string(), z.number()]).optional(),
  lang: z.string().nullish(),
  domain: z.string().nullish(),
  text: z.string(),
  aspects: z.array(z.looseObject({ term: z.string().nullish(), polarity: z.string() })),
});

function readAbsaRows(rows: DatasetRow[]): DatasetReading {
  let conflicts = 0;
  const cases = rows.map(({ value, at }): DatasetCase => {
    const { id, lang, text, aspects } = readRow(AbsaRowSchema, value, at);
    const kept = aspects.filter((aspect) => aspect.polarity !== "conflict");
    conflicts += aspects.length - kept.length;
    return {
      id: id === undefined ? at : String(id),
      input: { text, ...(lang ? { language_code: lang } : {}) },
      gold: { aspects: kept.map(({ term, polarity }) => ({ term: term ?? "", polarity })) },
      at,
    };
  });
  return { cases, notes: conflicts > 0 ? [`${conflicts} labels of polarity "conflict" were left out`] : [] };
}
