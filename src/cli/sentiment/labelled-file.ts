import { basename, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import type { DatasetRow } from "../../engine/pack.ts";
import {
  detectLanguage,
  type LabelledAspect,
  type LabelledText,
} from "../../knowledge/opinions/index.ts";
import { canonicalisePolarity, type LanguageCode, readLanguageCode } from "../../packs/sentiment/index.ts";
import { readText } from "../../studies/datasets/read-text.ts";
import { readCsv, readJsonl } from "../../studies/datasets/rows.ts";
import { isRecord } from "../../text/is-record.ts";
import type { Io } from "../terminal/io.ts";
import { findColumn, languageColumns, textColumns } from "./text-rows.ts";

/** The labelled texts of a file in one language, and how many of its labels could not be used, by reason. */
export type LabelledFile = {
  name: string;
  language: LanguageCode;
  texts: LabelledText[];
  leftOut: Record<string, number>;
};

type Row = LabelledText & { language: LanguageCode };

/** Reads JSON Lines with `text` and `aspects` (or `gold_tuples`, or rows of `parley review export`), or CSV with one aspect per row. */
export function readLabelledFile(io: Io, file: string, wanted: LanguageCode | undefined): LabelledFile {
  const { text } = readText(resolve(io.cwd, file));
  const leftOut: Record<string, number> = {};
  const rows = /\.(csv|tsv)$/i.test(file) ? gatherByText(readCsv(text, file)) : readJsonl(text, file);
  const read = rows.map((row) => readRow(row, leftOut));
  const korean = read.filter((row) => row.language === "ko").length;
  const language = wanted ?? (korean * 2 > read.length ? "ko" : "en");
  const texts = read.filter((row) => row.language === language && row.aspects.length > 0);
  const other = read.filter((row) => row.language !== language).length;
  if (other > 0) leftOut["texts in another language"] = other;
  return { name: basename(file), language, texts, leftOut };
}

/** A CSV has one aspect per row; rows with the same text belong together. */
function gatherByText(rows: readonly DatasetRow[]): DatasetRow[] {
  const byText = new Map<string, DatasetRow>();
  for (const { value, at } of rows) {
    const text = findColumn(value, textColumns) ?? "";
    const row = byText.get(text) ?? { value: { ...value, aspects: [] }, at };
    (row.value.aspects as unknown[]).push(value);
    byText.set(text, row);
  }
  return [...byText.values()];
}

function readRow({ value, at }: DatasetRow, leftOut: Record<string, number>): Row {
  const flat = isRecord(value.input) ? { ...value.input, ...(isRecord(value.gold) ? value.gold : {}) } : value;
  const text = findColumn(flat, textColumns);
  if (text === undefined)
    throw new ParleyError("bad_input", `${at}: no text; a row has one of the columns ${textColumns.join(", ")}`);
  const list = flat.aspects ?? flat.gold_tuples ?? (Array.isArray(value.gold) ? value.gold : undefined);
  if (!Array.isArray(list))
    throw new ParleyError("bad_input", `${at}: no labels; a row has a list "aspects" of { term, polarity }`);
  const aspects = list.flatMap((one) => readAspect(text, one as unknown, at, leftOut));
  const language = readLanguageCode(findColumn(flat, languageColumns)) ?? detectLanguage(text);
  return { text, aspects, language };
}

function readAspect(text: string, value: unknown, at: string, leftOut: Record<string, number>): LabelledAspect[] {
  const columns = isRecord(value) ? value : {};
  const polarity = canonicalisePolarity(columns.polarity);
  const skip = (reason: string): LabelledAspect[] => {
    leftOut[reason] = (leftOut[reason] ?? 0) + 1;
    return [];
  };
  if (columns.polarity === "conflict" || columns.polarity === "mixed") return skip(`labels "${columns.polarity}"`);
  if (polarity === null)
    throw new ParleyError(
      "bad_input",
      `${at}: ${JSON.stringify(columns.polarity) ?? "nothing"} is no polarity; an aspect is positive, negative or neutral`,
    );
  const term = findColumn(columns, ["term", "aspect_term", "aspect"]) ?? "";
  const category = findColumn(columns, ["category", "aspect_ref", "normalized"]) ?? null;
  if (term === "") return [{ span: null, category, polarity }];
  const start = findPlace(text, term, Number(columns.from ?? 0));
  if (start === null) return skip("terms that are not in their text");
  return [{ span: { start, end: start + term.length }, category: null, polarity }];
}

/** Where a term stands: at the index given when it fits, else its occurrence nearest to it. */
function findPlace(text: string, term: string, from: number): number | null {
  if (text.startsWith(term, from)) return from;
  const places: number[] = [];
  for (let at = text.indexOf(term); at >= 0; at = text.indexOf(term, at + 1)) places.push(at);
  return places.toSorted((a, b) => Math.abs(a - from) - Math.abs(b - from))[0] ?? null;
}
