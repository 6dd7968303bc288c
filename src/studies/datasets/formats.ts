import type { AnyPack, DatasetFile, DatasetFormat, DatasetReading, DatasetRow } from "../../engine/pack.ts";
import type { Mapping } from "./dataset-schema.ts";
import { mapRow } from "./map-row.ts";
import { readCsv, readJsonl, readJson } from "./rows.ts";

/** How a kind of file becomes cases; the formats of no domain take the mapping of the study file. */
export type Format = Omit<DatasetFormat, "read"> & {
  read(file: DatasetFile, map?: Mapping): DatasetReading | Promise<DatasetReading>;
};

type Layout = Parameters<DatasetFile["rows"]>[0];

/** The formats of no domain: one case per row, as it is or by a mapping. */
export const formats: Record<Layout, Format> = {
  jsonl: mapRows("jsonl", "JSON Lines: {id, input, gold, strata}, or any columns with a mapping"),
  json: { ...mapRows("json", "a JSON array of objects, as jsonl"), endings: [".json"] },
  csv: {
    ...mapRows("csv", "CSV with a header line (comma, semicolon or tab) and a mapping"),
    endings: [".csv", ".tsv"],
  },
};

/** Every format that a study of this pack may name. */
export function formatsOf(pack: AnyPack): Record<string, Format> {
  return { ...formats, ...pack.datasets, ...pack.measure?.datasets };
}

/** True for a format that takes the mapping of the study file; those of a pack bring their own. */
export function isMapped(name: string): boolean {
  return Object.hasOwn(formats, name);
}

/** The text of a file as formats see it. */
export function openDataset(text: string, path: string): DatasetFile {
  return { path, text, rows: (layout) => readers[layout](text, path) };
}

const readers: Record<Layout, (text: string, path: string) => DatasetRow[]> = {
  jsonl: readJsonl,
  json: readJson,
  csv: readCsv,
};

function mapRows(layout: Layout, about: string): Format {
  return { about, read: (file, map) => ({ cases: file.rows(layout).map((row) => mapRow(row, map)) }) };
}
