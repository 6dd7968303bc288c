import { ParleyError } from "../../contract/error.ts";
import type { DatasetCase, DatasetRow } from "../../engine/pack.ts";
import { suggestName } from "../../text/similar.ts";
import type { Field, Mapping } from "./dataset-schema.ts";

/** A row as a case, by a mapping of the study file; without one the row itself has `id`, `input` and `gold`. */
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
  return Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, readField(row, field)]));
}

function readValue(row: DatasetRow, field: Field | Record<string, Field>): unknown {
  const isField =
    typeof field === "string" ||
    Array.isArray(field) ||
    "constant" in field ||
    ("values" in field && typeof field.column === "string") ||
    ("each" in field && "take" in field);
  return isField ? readField(row, field as Field) : readRecord(row, field as Record<string, Field>);
}

function readField(row: DatasetRow, field: Field): unknown {
  if (typeof field === "string") return requireColumn(row, field);
  // An empty cell is no item of a list that is made of several columns: questions have three choices, or four.
  if (Array.isArray(field))
    return field.filter((one) => typeof one !== "string" || row.value[one] !== "").map((one) => readField(row, one));
  if ("constant" in field) return field.constant;
  if ("each" in field) return readList(row, field.each, field.take);
  const key = textOf(requireColumn(row, field.column));
  if (Object.hasOwn(field.values, key)) return field.values[key];
  const known = Object.keys(field.values);
  throw new ParleyError(
    "bad_input",
    `${row.at}: ${field.column}: "${key}" is not in the mapping's values${suggestName(key, known)}`,
  );
}

function readList(row: DatasetRow, each: string, take: Field | Record<string, Field>): unknown[] {
  const list = requireColumn(row, each);
  if (!Array.isArray(list)) throw new ParleyError("bad_input", `${row.at}: "${each}" is not a list`);
  return list.map((value: Record<string, unknown>, i) => readValue({ value, at: `${row.at} ${each}[${i}]` }, take));
}

/** The value of a column; dots reach inside, through lists too. */
function requireColumn({ value: all, at }: DatasetRow, path: string): unknown {
  const value =
    path in all
      ? all[path]
      : path.split(".").reduce<unknown>((part, name) => (Object(part) as Record<string, unknown>)[name], all);
  if (value === "") throw new ParleyError("bad_input", `${at}: "${path}" is empty`);
  if (value === undefined)
    throw new ParleyError("bad_input", `${at}: there is no column "${path}"${suggestName(path, Object.keys(all))}`);
  return value;
}

function textOf(value: unknown): string {
  return typeof value === "string" ? value : JSON.stringify(value);
}
