import { resolve } from "node:path";
import * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { hashValue, sha256 } from "../../engine/hash.ts";
import type {
  AnyPack,
  DatasetCase,
  DatasetFile,
  DatasetFormat,
  DatasetReading,
  DatasetRow,
} from "../../engine/pack.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { formatCount, shortenText } from "../../text/format.ts";
import { isRecord } from "../../text/json.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import { suggestName } from "../../text/similar.ts";
import { measureOf } from "../results/results.ts";
import { readFileSync, statSync } from "node:fs";
import { gunzipSync } from "node:zlib";
import { parse } from "csv-parse/sync";

export type Dataset = { path: string; hash: string; cases: StudyCase[]; notes: string[] };

/** Loads a dataset; every case is checked by the pack's schemas before anything runs. */
export async function loadDataset(spec: DatasetSpec, pack: AnyPack, folder: string): Promise<Dataset> {
  const format = chooseFormat(spec, pack);
  const { text, hash } = readText(resolve(folder, spec.path));
  const file: DatasetFile = { path: spec.path, text, rows: (layout) => readers[layout](text, spec.path) };
  const { cases: raw, notes = [] } = await format.read(file, spec.map);
  const ordered = spec.shuffle === undefined ? raw : shuffle(raw, createRandom(spec.shuffle));
  const picked = ordered.slice(0, spec.limit);
  const cases = new Map<string, StudyCase>();
  const problems: string[] = [];
  for (const [index, one] of picked.entries()) {
    const checked = checkCase(one, index, pack);
    if (typeof checked === "string") problems.push(checked);
    else if (cases.has(checked.id)) problems.push(`two rows have the id "${checked.id}"; ids tell cases apart`);
    else cases.set(checked.id, checked);
  }
  if (problems.length > 0 && !(spec.skip_bad_rows && cases.size > 0)) throw refuseRows(problems, picked.length);
  if (cases.size === 0) throw new ParleyError("bad_input", `${spec.path} has no rows; a dataset needs at least one`);
  if (problems.length > 0)
    notes.push(`${formatCount(problems.length, "bad row was", "bad rows were")} left out; the first: ${problems[0]}`);
  const once = dropCopies([...cases.values()], spec.path);
  const copies = cases.size - once.length;
  if (copies > 0)
    notes.push(`${formatCount(copies, "copy", "copies")} of other cases were left out: a case counts once.`);
  return { path: spec.path, hash, cases: once, notes };
}

function chooseFormat(spec: DatasetSpec, pack: AnyPack): Format {
  const known = formatsOf(pack);
  const path = spec.path.replace(/\.gz$/, "");
  const byEnding = Object.entries(known).find(([, { endings = [] }]) => endings.some((end) => path.endsWith(end)));
  const name = spec.format ?? byEnding?.[0] ?? "jsonl";
  const format = Object.hasOwn(known, name) ? known[name] : undefined;
  if (!format)
    throw new ParleyError(
      "bad_config",
      `there is no dataset format "${shortenText(name)}"${suggestName(name, Object.keys(known))}`,
    );
  if (spec.map && !Object.hasOwn(formats, name))
    throw new ParleyError("bad_config", `the format ${name} has its own mapping; leave dataset.map out, or use jsonl`);
  return format;
}

/** The checked case, or its problem. The strict input schema keeps stray columns away from players. */
function checkCase(raw: DatasetCase, index: number, pack: AnyPack): StudyCase | string {
  const measure = measureOf(pack);
  const wrong = [
    ...findProblems(pack.input, raw.input, `${raw.at}: input`),
    ...(raw.gold === null ? [] : findProblems(measure.gold, raw.gold, `${raw.at}: gold`)),
  ];
  if (wrong[0] !== undefined) return wrong[0];
  const gold = raw.gold === null ? null : measure.gold.parse(raw.gold);
  const fitted = gold === null || !measure.fitGold ? { gold } : measure.fitGold(gold, pack.input.parse(raw.input));
  if ("problem" in fitted) return `${raw.at}: gold: ${fitted.problem}`;
  return {
    id: raw.id === null || raw.id === "" ? `row-${index + 1}` : raw.id,
    input: raw.input,
    gold: fitted.gold,
  };
}

/** Keeps the first of repeated cases; it is an error if their gold differs. */
function dropCopies(cases: StudyCase[], path: string): StudyCase[] {
  const groups = [...Map.groupBy(cases, ({ input }) => fingerprint(input)).values()];
  for (const [first, ...rest] of groups) {
    const other = rest.find(({ gold }) => hashValue(gold) !== hashValue(first?.gold));
    if (other)
      throw new ParleyError(
        "bad_input",
        `${path}: "${first?.id}" and "${other.id}" are the same case with different gold; one of them is wrong`,
      );
  }
  return groups.flatMap(([first]) => first ?? []);
}

function fingerprint(input: unknown): string {
  const said = isRecord(input) ? { ...input, id: null } : input;
  return hashValue(
    JSON.stringify(said)
      .replaceAll(/(?:\\[nrt]|\s)+/g, " ")
      .toLowerCase(),
  );
}

function findProblems(schema: z.ZodType, value: unknown, at: string): string[] {
  const parsed = schema.safeParse(value, { reportInput: true });
  if (parsed.success) return [];
  return explainIssues(schema, parsed.error).map(({ path, message }) =>
    path.length === 0 ? `${at}: ${message}` : `${at}.${formatPath(path)}: ${message}`,
  );
}

function refuseRows(problems: string[], rows: number): ParleyError {
  const shown = problems.slice(0, 10).map((problem) => `  ${problem}`);
  const more = problems.length > 10 ? [`  … and ${problems.length - 10} more`] : [];
  const advice = "correct them, or set dataset.skip_bad_rows: true to leave them out and count them";
  return new ParleyError(
    "bad_input",
    [`${problems.length} of ${rows} rows are not valid cases; ${advice}`, ...shown, ...more].join("\n"),
  );
}

/** General formats use the study file's mapping; a pack's formats bring their own. */
type Format = Omit<DatasetFormat, "read"> & {
  read(file: DatasetFile, map?: Mapping): DatasetReading | Promise<DatasetReading>;
};

const readers = { jsonl: readJsonl, csv: readCsv };

const formats: Record<keyof typeof readers, Format> = {
  jsonl: {
    about: "JSON Lines: {id, input, gold}, or any columns with a mapping",
    read: (file, map) => ({ cases: file.rows("jsonl").map((row) => mapRow(row, map)) }),
  },
  csv: {
    about: "CSV with a header line (comma, semicolon or tab) and a mapping",
    endings: [".csv", ".tsv"],
    read: (file, map) => ({ cases: file.rows("csv").map((row) => mapRow(row, map)) }),
  },
};

function formatsOf(pack: AnyPack): Record<string, Format> {
  return { ...formats, ...pack.measure?.datasets };
}

/** Maps a row to a case; without a mapping the row itself has `id`, `input` and `gold`. */
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
  // Rows may carry data for others: votes and labellers for juries, strata for reports.
  const { id = null, input, gold = null, votes: _votes, labelled_by: _by, strata: _strata, ...rest } = value;
  const [extra] = Object.keys(rest);
  if (input === undefined)
    throw new ParleyError(
      "bad_input",
      `${at}: the row has no "input"; add it, name its columns under dataset.map, or give the file's --format`,
    );
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
  // Skips empty cells in a list of columns: some questions have three choices, some four.
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

/** The value of a column; dots reach inside, also through lists. */
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

/** The source of a value: a column (dots reach inside), a column with replaced values, a constant, a list of these, or one derived from another list. */
export type Field =
  | string
  | { column: string; values: Record<string, unknown> }
  | { constant: unknown }
  | Field[]
  | { each: string; take: Field | Record<string, Field> };

const FieldSchema: z.ZodType<Field> = z.lazy(() =>
  z.union([
    z.string().min(1),
    /** Unlisted values are an error. */
    z.strictObject({ column: z.string().min(1), values: z.record(z.string(), z.unknown()) }),
    z.strictObject({ constant: z.unknown() }),
    z.array(FieldSchema).min(1),
    z.strictObject({ each: z.string().min(1), take: z.union([FieldSchema, z.record(z.string(), FieldSchema)]) }),
  ]),
);

/** Maps a row to a case; gold is split off here and used for scoring only. */
const MappingSchema = z.strictObject({
  id: z.string().min(1).optional(),
  input: z.record(z.string(), FieldSchema),
  gold: z.union([FieldSchema, z.record(z.string(), FieldSchema)]).optional(),
});
export type Mapping = z.infer<typeof MappingSchema>;

export const DatasetSchema = z.strictObject({
  path: z.string().min(1),
  /** Defaults to `jsonl`; formats other than jsonl and csv bring their own mapping. */
  format: z.string().min(1).optional(),
  map: MappingSchema.optional(),
  limit: z.int().min(1).optional(),
  shuffle: z.int().nonnegative().optional(),
  skip_bad_rows: z.boolean().default(false),
  /** The cases were written to test the rules, so they are no evidence. */
  made_up: z.boolean().default(false),
});
export type DatasetSpec = z.infer<typeof DatasetSchema>;

/** One case of a study. Players get `input` only; `gold` is compared with the finished decision. */
export type StudyCase = { id: string; input: unknown; gold: unknown };

const maxUnpacked = 400 * 2 ** 20;

/** Reads a dataset file, decompressed, with its hash; refuses anything but UTF-8. */
export function readText(path: string): { path: string; text: string; hash: string } {
  const packed = orRefuse(`cannot read the dataset ${path}`, () => {
    if (statSync(path).isCharacterDevice()) throw new Error("it is a device");
    return readFileSync(path);
  });
  const isGzip = packed[0] === 0x1f && packed[1] === 0x8b;
  const damaged = `${path} is a damaged or cut off gzip file, or one of over ${maxUnpacked / 2 ** 20} MB`;
  const bytes = isGzip ? orRefuse(damaged, () => gunzipSync(packed, { maxOutputLength: maxUnpacked })) : packed;
  const decoder = new TextDecoder("utf-8", { fatal: true });
  const text = orRefuse(`${path} is not UTF-8 text; save it as UTF-8 and try again`, () => decoder.decode(bytes));
  if (text === "") throw new ParleyError("bad_input", `${path} is empty; a dataset needs at least one row`);
  if (text.includes("\0"))
    throw new ParleyError("bad_input", `${path} has zero bytes in it; it looks like a binary file, not a dataset`);
  return { path, text, hash: sha256(text) };
}

function orRefuse<T>(what: string, work: () => T): T {
  try {
    return work();
  } catch (cause) {
    throw new ParleyError("bad_input", `${what}: ${(cause as Error).message}`, { cause });
  }
}

export function readJsonl(text: string, path: string): DatasetRow[] {
  return text.split(/\r?\n/).flatMap((line, i) => {
    if (line.trim() === "") return [];
    const at = `${path}:${i + 1}`;
    const value: unknown = orRefuse(`${at}: this is not valid JSON`, () => JSON.parse(line));
    if (isRecord(value)) return [{ value, at }];
    const kind = Array.isArray(value) ? "a list" : typeof value;
    throw new ParleyError("bad_input", `${at}: a row is a JSON object, this is ${kind}`);
  });
}

export function readCsv(text: string, path: string): DatasetRow[] {
  const options = { columns: true, bom: true, skip_empty_lines: true, info: true, delimiter: guessDelimiter(text) };
  const rows: unknown = orRefuse(`${path} is not valid CSV`, () => parse(text, options));
  return (rows as { record: Record<string, string>; info: { lines: number } }[]).map(({ record, info }) => ({
    value: record,
    at: `${path}:${info.lines}`,
  }));
}

export function guessDelimiter(text: string): string {
  const header = text.split(/\r?\n/, 1)[0] ?? "";
  const count = (mark: string): number => header.split(mark).length;
  return [",", ";", "\t"].reduce((best, mark) => (count(mark) > count(best) ? mark : best));
}
