import { resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetRow } from "../../engine/pack.ts";
import { type SentimentGold, SentimentGoldSchema } from "../../packs/sentiment/index.ts";
import { readText } from "../../studies/datasets/read-text.ts";
import { readCsv, readJsonl } from "../../studies/datasets/rows.ts";
import type { Io } from "../terminal/io.ts";
import { findColumn, idColumns } from "./text-rows.ts";

/** The gold of a file by id: JSON Lines with `aspects`, `gold_tuples` or NIKL `annotation`, or CSV with one tuple per row. */
export function readGold(io: Io, file: string): Map<string, SentimentGold> {
  const { text } = readText(resolve(io.cwd, file));
  const rows = /\.(csv|tsv)$/i.test(file) ? groupTuples(readCsv(text, file)) : readJsonl(text, file);
  const gold = new Map<string, SentimentGold>();
  for (const [index, { value, at }] of rows.entries()) {
    const id = findColumn(value, idColumns) ?? String(index + 1);
    const parsed = SentimentGoldSchema.safeParse(withAnnotation(value));
    if (!parsed.success)
      throw new ParleyError(
        "bad_input",
        `${at}: no gold tuples; a row has an id and a list "aspects" or "gold_tuples" of { term, polarity }`,
      );
    gold.set(id, parsed.data);
  }
  return gold;
}

/** A CSV has one tuple per row; rows of one id belong together. */
function groupTuples(rows: DatasetRow[]): DatasetRow[] {
  const byId = new Map<string, DatasetRow>();
  for (const { value, at } of rows) {
    const id = findColumn(value, idColumns) ?? "";
    const row = byId.get(id) ?? { value: { id, aspects: [] }, at };
    (row.value.aspects as unknown[]).push(value);
    byId.set(id, row);
  }
  return [...byId.values()];
}

/** NIKL files say `[[category, [term, start, end], polarity], …]`. */
function withAnnotation(value: Record<string, unknown>): Record<string, unknown> {
  if (!Array.isArray(value.annotation)) return value;
  const aspects = (value.annotation as unknown[][]).map(([, place, polarity]) => ({
    term: Array.isArray(place) ? (place[0] as string | null) : null,
    polarity,
  }));
  return { ...value, aspects };
}
