import type { DatasetSpec } from "./dataset-schema.ts";
import { mapRow } from "./map-row.ts";
import type { SourceText } from "./read-text.ts";
import { csvRows, jsonlRows, jsonRows } from "./rows.ts";
import type { RawCase } from "./study-case.ts";

/** What a format made of a file: the cases, and what it left out. */
export type Read = { cases: RawCase[]; notes: string[] };

/** How a kind of file becomes cases; `mapped` formats take the mapping of the study file. */
export type Format = { about: string; mapped: boolean; read(source: SourceText, spec: DatasetSpec): Read };

/** Every format that a study may name. */
export const formats: Record<string, Format> = {
  jsonl: {
    about: "JSON Lines: {id, input, gold} or any columns with a mapping",
    mapped: true,
    read: ({ text, path }, { map }) => ({ cases: jsonlRows(text, path).map((row) => mapRow(row, map)), notes: [] }),
  },
  json: {
    about: "a JSON array of objects, as jsonl",
    mapped: true,
    read: ({ text, path }, { map }) => ({ cases: jsonRows(text, path).map((row) => mapRow(row, map)), notes: [] }),
  },
  csv: {
    about: "CSV with a header line (comma, semicolon or tab) and a mapping",
    mapped: true,
    read: ({ text, path }, { map }) => ({ cases: csvRows(text, path).map((row) => mapRow(row, map)), notes: [] }),
  },
};
