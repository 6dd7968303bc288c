import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetRow } from "../../engine/pack.ts";
import { suggestName } from "../../text/similar.ts";
import type { Field, Mapping } from "./dataset-schema.ts";
import { parseJson } from "./rows.ts";

export function mapRow(row: DatasetRow, mapping: Mapping | undefined): DatasetCase {
  if (mapping === undefined) return readPlainRow(row);
  return {
    id: mapping.id === undefined ? null : textOf(requireColumn(row, mapping.id)),
    input: readRecord(row, mapping.input),
    gold: mapping.gold === undefined ? null : readValue(row, mapping.gold),
    at: row.at,
  };
}

function readPlainRow({ value, at }: DatasetRow): DatasetCase {
  // Rows may say more for others: what each speaker said and who labelled it, for juries; what kind of case it is.
  const { id = null, input, gold = null, votes: _votes, labelled_by: _by, strata: _strata, ...rest } = value;
  const [extra] = Object.keys(rest);
  if (input === undefined)
    throw new ParleyError("bad_input", `${at}: the row has no "input"; add it, or name its columns under dataset.map`);
  if (extra !== undefined)
    throw new ParleyError("bad_input", `${at}: unknown key "${extra}"${suggestName(extra, ["id", "input", "gold"])}`);
  return { id: id === null ? null : textOf(id), input, gold, at };
}

function readRecord(row: DatasetRow, fields: Record<string, Field>): Record<string, unknown> {
  const entries = Object.entries(fields).map(([name, field]) => [name, readField(row, field)] as const);
  return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
}

function readValue(row: DatasetRow, field: Field | Record<string, Field>): unknown {
  return isField(field) ? readField(row, field) : readRecord(row, field);
}

function isField(field: Field | Record<string, Field>): field is Field {
  if (typeof field === "string" || Array.isArray(field)) return true;
  return (
    ("column" in field && typeof field.column === "string") ||
    "constant" in field ||
    ("each" in field && "take" in field)
  );
}

function readField(row: DatasetRow, field: Field): unknown {
  if (typeof field === "string") return requireColumn(row, field);
  if (Array.isArray(field)) return field.filter((one) => !isEmptyCell(row, one)).map((one) => readField(row, one));
  if ("constant" in field) return field.constant;
  if ("each" in field) return readList(row, field);
  const value =
    "default" in field ? (findColumn(row, field.column) ?? field.default) : requireColumn(row, field.column);
  const at = `${row.at}: ${field.column}`;
  if (field.values) return translate(value, field.values, at);
  return field.json && typeof value === "string" ? parseJson(value, at) : value;
}

function readList(row: DatasetRow, field: { each: string; take: Field | Record<string, Field> }): unknown[] {
  const list = requireColumn(row, field.each);
  if (!Array.isArray(list)) throw new ParleyError("bad_input", `${row.at}: "${field.each}" is not a list`);
  return list.map((value, i) =>
    readValue({ value: value as Record<string, unknown>, at: `${row.at} ${field.each}[${i}]` }, field.take),
  );
}

/** An empty cell is no item of a list that is made of several columns: questions have three choices, or four. */
function isEmptyCell({ value }: DatasetRow, field: Field): boolean {
  return typeof field === "string" && value[field] === "";
}

function requireColumn(row: DatasetRow, path: string): unknown {
  const value = findColumn(row, path);
  if (value === undefined && path in row.value) throw new ParleyError("bad_input", `${row.at}: "${path}" is empty`);
  if (value === undefined)
    throw new ParleyError(
      "bad_input",
      `${row.at}: there is no column "${path}"${suggestName(path, Object.keys(row.value))}`,
    );
  return value;
}

function findColumn(row: DatasetRow, path: string): unknown {
  if (path in row.value) return row.value[path] === "" ? undefined : row.value[path];
  return path.split(".").reduce<unknown>((value, part) => (hasParts(value) ? value[part] : undefined), row.value);
}

function translate(value: unknown, values: Record<string, unknown>, at: string): unknown {
  const key = textOf(value);
  if (key in values) return values[key];
  throw new ParleyError(
    "bad_input",
    `${at}: "${key}" is not in the mapping's values${suggestName(key, Object.keys(values))}`,
  );
}

function hasParts(value: unknown): value is Record<string, unknown> {
  return value !== null && typeof value === "object";
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
