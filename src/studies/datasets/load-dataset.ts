import { hashValue } from "../../engine/hash.ts";
import { isRecord } from "../../text/json.ts";
import { formatCount, shortenText } from "../../text/format.ts";
import { measureOf } from "./measure.ts";
import { resolve } from "node:path";
import type * as z from "zod";
import { ParleyError } from "../../contract/error.ts";
import { explainIssues, formatPath } from "../../text/explain-issues.ts";
import { suggestName } from "../../text/similar.ts";
import type {
  AnyPack,
  DatasetCase,
  DatasetFile,
  DatasetFormat,
  DatasetReading,
  DatasetRow,
} from "../../engine/pack.ts";
import { createRandom, shuffle } from "../../text/random.ts";
import type { DatasetSpec, StudyCase, Mapping } from "./dataset-schema.ts";
import { readText, readCsv, readJsonl, readJson } from "./rows.ts";
import { mapRow } from "./map-row.ts";

export type Dataset = { path: string; hash: string; cases: StudyCase[]; notes: string[] };

export async function loadDataset(spec: DatasetSpec, pack: AnyPack, folder: string): Promise<Dataset> {
  const format = chooseFormat(spec, pack);
  const source = readText(resolve(folder, spec.path));
  const { cases: raw, notes = [] } = await format.read(openDataset(source.text, spec.path), spec.map);
  const picked = pick(raw, spec);
  const checked = picked.map((one, i) => checkCase(one, i, pack));
  const problems = [...checked.flatMap((one) => (typeof one === "string" ? [one] : [])), ...findDuplicates(checked)];
  const cases = checked.filter((one) => typeof one !== "string");
  if (problems.length > 0 && !(spec.skip_bad_rows && cases.length > 0)) throw refuseRows(problems, picked.length);
  if (cases.length === 0) throw new ParleyError("bad_input", `${spec.path} has no rows; a dataset needs at least one`);
  const skipped =
    problems.length > 0
      ? [`${formatCount(problems.length, "bad row was", "bad rows were")} left out; the first: ${problems[0]}`]
      : [];
  const copies = dropCopies(dropDuplicates(cases), spec.path);
  return { path: spec.path, hash: source.hash, cases: copies.cases, notes: [...notes, ...skipped, ...copies.notes] };
}

function chooseFormat(spec: DatasetSpec, pack: AnyPack): Format {
  const formats = formatsOf(pack);
  const name = spec.format ?? guessFormat(spec.path, formats);
  const format = Object.hasOwn(formats, name) ? formats[name] : undefined;
  if (!format)
    throw new ParleyError(
      "bad_config",
      `there is no dataset format "${shortenText(name)}"${suggestName(name, Object.keys(formats))}`,
    );
  if (spec.map && !isMapped(name))
    throw new ParleyError(
      "bad_config",
      `the format ${name} brings its own mapping; leave dataset.map out, or use jsonl`,
    );
  return format;
}

function guessFormat(path: string, formats: Record<string, Format>): string {
  const name = path.replace(/\.gz$/, "");
  const found = Object.entries(formats).find(([, { endings = [] }]) => endings.some((ending) => name.endsWith(ending)));
  return found?.[0] ?? "jsonl";
}

function pick(raw: DatasetCase[], { shuffle: seed, limit }: DatasetSpec): DatasetCase[] {
  const ordered = seed === undefined ? raw : shuffle(raw, createRandom(seed));
  return limit === undefined ? ordered : ordered.slice(0, limit);
}

/** The case, or what is wrong with it. The pack's strict input schema keeps stray columns away from players. */
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

/** One case asked twice is one case: the first counts, unless the two disagree about what is right. */
function dropCopies(cases: StudyCase[], path: string): { cases: StudyCase[]; notes: string[] } {
  const groups = [...Map.groupBy(cases, ({ input }) => fingerprint(input)).values()];
  for (const [first, ...rest] of groups) {
    const other = rest.find(({ gold }) => hashValue(gold) !== hashValue(first?.gold));
    if (other)
      throw new ParleyError(
        "bad_input",
        `${path}: "${first?.id}" and "${other.id}" are the same case with different gold; one of them is wrong`,
      );
  }
  const copies = cases.length - groups.length;
  const notes =
    copies === 0 ? [] : [`${formatCount(copies, "copy", "copies")} of other cases were left out: a case counts once.`];
  return { cases: groups.flatMap(([first]) => first ?? []), notes };
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

function findDuplicates(cases: (StudyCase | string)[]): string[] {
  const seen = new Set<string>();
  return cases.flatMap((one) => {
    if (typeof one === "string" || !seen.has(one.id)) return typeof one === "string" ? [] : (seen.add(one.id), []);
    return [`two rows have the id "${one.id}"; ids tell cases apart`];
  });
}

function dropDuplicates(cases: StudyCase[]): StudyCase[] {
  return [...new Map(cases.toReversed().map((one) => [one.id, one])).values()].toReversed();
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

export type Format = Omit<DatasetFormat, "read"> & {
  read(file: DatasetFile, map?: Mapping): DatasetReading | Promise<DatasetReading>;
};

type Layout = Parameters<DatasetFile["rows"]>[0];

export const formats: Record<Layout, Format> = {
  jsonl: mapRows("jsonl", "JSON Lines: {id, input, gold}, or any columns with a mapping"),
  json: { ...mapRows("json", "a JSON array of objects, as jsonl"), endings: [".json"] },
  csv: {
    ...mapRows("csv", "CSV with a header line (comma, semicolon or tab) and a mapping"),
    endings: [".csv", ".tsv"],
  },
};

export function formatsOf(pack: AnyPack): Record<string, Format> {
  return { ...formats, ...pack.measure?.datasets };
}

export function isMapped(name: string): boolean {
  return Object.hasOwn(formats, name);
}

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
