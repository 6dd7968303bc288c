/** A file of texts: one line per text on stdout, or with `--out` a table, a page or a folder. */
import { extname, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { Section } from "../contract/view.ts";
import {
  computeRates,
  type FinalOutput,
  findWarnings,
  lineFiles,
  sentiment,
  SentimentConfigSchema,
  summariseGate,
  tally,
  toJsonLines,
} from "../packs/sentiment/index.ts";
import { type BatchResult, checkCaseFile } from "../runs/batch.ts";
import { checkValue } from "../runs/settings.ts";
import { writePage } from "../studies/report/study-sections.ts";
import { openDraft, replaceFile, placeIn } from "../store/replace-file.ts";
import { countText, cutText, formatCount } from "../text/format.ts";
import { guardFormula } from "../text/layout.ts";
import { type Io, resolveOut, throwIfStopped } from "./io.ts";
import type { Batch } from "./run-file.ts";
import { findColumn, findTextColumns, listCases, readTable } from "./sentiment-table.ts";
import type { SentimentOptions } from "./sentiment.ts";

type Found = { columns: Record<string, unknown>; text: string; result: BatchResult; output: FinalOutput | null };

export async function openTextBatch(io: Io, file: string, options: SentimentOptions): Promise<Batch> {
  const path = resolve(io.cwd, file);
  await checkCaseFile(path, null);
  const table = await readTable(path, file);
  const columns = findTextColumns(file, table, options);
  const { cases, empty, mixed, foreign } = listCases(table, columns, options);
  if (empty > 0) io.err(`${file}: ${formatCount(empty, "row has", "rows have")} no text: skipped\n`);
  if (mixed > 0) io.err(`${file}: ${formatCount(mixed, "row is", "rows are")} in two languages: read by sentence\n`);
  if (foreign > 0)
    io.err(`${file}: ${formatCount(foreign, "row is", "rows are")} neither Korean nor English: read as English\n`);
  return {
    pack: sentiment,
    file: path,
    replaces: options.out === undefined ? null : resolve(io.cwd, options.out),
    rows: (async function* () {
      for (const { row } of cases) yield row;
    })(),
    noun: "text",
    total: async () => cases.length,
    open(given) {
      const config = checkValue(SentimentConfigSchema, given ?? {}, "config of the sentiment pack", "bad_config");
      const source = { name: file, header: table.header, empty };
      const results = options.out === undefined ? null : openResults(io, { ...options, out: options.out }, source);
      const totals: Record<string, number> = {};
      let at = 0;
      return {
        add(result) {
          const output = result.decision as FinalOutput | null;
          const own = cases[at]?.columns ?? {};
          at += 1;
          for (const [name, value] of Object.entries(output ? tally(output, null) : {}))
            totals[name] = (totals[name] ?? 0) + value;
          const text = output?.meta.text ?? findColumn(own, [columns.text]) ?? "";
          results?.add({ columns: own, text, result, output });
          if (options.json) io.out(`${describeJson(result)}\n`);
          else if (!results) io.out(`${describeResult(result, output)}\n`);
          if (results === null) throwIfStopped(io);
        },
        async finish() {
          const rates = computeRates(totals);
          const warnings = findWarnings(rates, config.debate_thresholds);
          await results?.finish({ rates, warnings });
          if (results && !options.quiet) io.err(`wrote ${options.out}: ${formatCount(at, "text")}\n`);
          if (!options.quiet)
            for (const { level, metric, value, tip } of warnings)
              io.err(`${level === "high" ? "HIGH" : "warning"}: ${metric} is ${value.toFixed(2)}. ${tip}\n`);
        },
        abandon: () => results?.abandon(),
      };
    },
  };
}

function describeJson({ case_id, outcome, reasons, run, decision }: BatchResult): string {
  return JSON.stringify({ ...(decision as object | null), parley: { case_id, run, outcome, reasons } });
}

function describeResult({ case_id, outcome, reasons }: BatchResult, output: FinalOutput | null): string {
  if (!output) return [case_id, outcome, reasons.join("; ")].join("\t");
  const { label, confidence, final_tuples } = output.final_result;
  const tuples = final_tuples.map(({ aspect_ref, polarity }) => `${aspect_ref || implicit} ${polarity}`);
  return [case_id, `${label} ${confidence.toFixed(2)}`, tuples.join(", ") || "no opinion"].join("\t");
}

const implicit = "(implicit)";

type Source = { name: string; header: string[]; empty: number };
type Results = { add(found: Found): void; finish(metrics: object): Promise<void>; abandon(): void };

/** The format is chosen by the extension of `--out`; without one, a folder. */
function openResults(io: Io, given: { out: string; quiet?: boolean }, source: Source): Results {
  const write = { ".csv": renderTable, ".html": renderPage }[extname(given.out).toLowerCase()];
  if (!write && /^\.[a-z]{2,5}$/i.test(extname(given.out)))
    throw new ParleyError("bad_input", `--out ${given.out}: results are written as .csv or .html, or into a folder`);
  const path = resolveOut(io, given, !write);
  if (!write) return openFolder(path);
  const draft = openDraft(path);
  const found: Found[] = [];
  return {
    add: (one) => void found.push(one),
    async finish() {
      draft.write(await write(source, found));
      draft.finish();
    },
    abandon: () => draft.abandon(false),
  };
}

function openFolder(folder: string): Results {
  const advice = "wait for it to finish, or choose another --out";
  const held = { what: `${folder} is being written`, advice };
  const drafts = Object.entries(lineFiles).map(([name, linesOf], index) => ({
    draft: openDraft(placeIn(folder, name), ".partial", index === 0 ? held : undefined),
    linesOf,
  }));
  const gate: FinalOutput["override_gate"] = [];
  return {
    add({ output }) {
      if (!output) return;
      gate.push(...output.override_gate);
      for (const { draft, linesOf } of drafts) draft.write(toJsonLines(linesOf(output)));
    },
    async finish(metrics) {
      for (const { draft } of drafts) draft.finish();
      const others = { "override_gate_debug_summary.json": summariseGate(gate), "metrics.json": metrics };
      for (const [name, value] of Object.entries(others))
        replaceFile(placeIn(folder, name), `${JSON.stringify(value, null, 2)}\n`);
    },
    abandon() {
      for (const { draft } of drafts) draft.abandon(true);
    },
  };
}

const resultColumns = ["aspect", "polarity", "overall", "confidence", "changed_by_debate", "outcome", "problem", "run"];

/** One row per aspect; a text without an opinion has one row without an aspect. */
function renderTable({ header }: Source, found: readonly Found[]): string {
  const own = resultColumns.map((name) => (header.includes(name) ? `parley_${name}` : name));
  const rows = found.flatMap(({ columns, result: { outcome, reasons, run }, output }) => {
    const { label, confidence, final_tuples = [], stage1_tuples = [] } = output?.final_result ?? {};
    const before = new Map(stage1_tuples.map((tuple) => [tuple.aspect_ref, tuple.polarity]));
    const given = header.map((name) => columns[name]);
    const rest = [label, confidence?.toFixed(3)];
    const end = [outcome, outcome === "decided" ? null : reasons.join("; "), run];
    if (final_tuples.length === 0) return [[...given, null, null, ...rest, stage1_tuples.length > 0, ...end]];
    return final_tuples.map(({ aspect_ref, polarity }) => {
      const isChanged = before.get(aspect_ref) !== polarity;
      return [...given, aspect_ref || implicit, polarity, ...rest, isChanged, ...end];
    });
  });
  const lines = [[...header, ...own], ...rows].map((values) => `${values.map(writeCell).join(",")}\r\n`);
  return `\uFEFF${lines.join("")}`;
}

/** A CSV cell that no spreadsheet takes for a formula, quoted if needed. */
export function writeCell(value: unknown): string {
  if (value === null || value === undefined) return "";
  const safe = typeof value === "string" ? guardFormula(value) : JSON.stringify(value);
  return /[",\r\n]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

function renderPage(source: Source, found: readonly Found[]): Promise<string> {
  const labels = ["positive", "negative", "mixed", "neutral"].map((label) => {
    const own = found.filter(({ output }) => output?.final_result.label === label).length;
    return `${Math.round((100 * own) / Math.max(1, found.length))}% ${label}`;
  });
  const opinions = found.reduce((sum, { output }) => sum + (output?.final_result.final_tuples.length ?? 0), 0);
  const skipped = formatCount(source.empty, "row without a text was", "rows without a text were");
  const intro = `${formatCount(found.length, "text")}, ${formatCount(opinions, "opinion")}. Texts as a whole: ${labels.join(", ")}.${source.empty > 0 ? ` ${skipped} skipped.` : ""}`;
  return writePage({ title: source.name, from: "sentiment", intro }, listSections(source, found));
}

const [mostBars, mostTexts] = [15, 10];

function listSections(source: Source, found: readonly Found[]): Section[] {
  const aspects = countOpinions(found, (_, aspect) => aspect.toLowerCase()).toSorted((a, b) => b.all - a.all);
  const notes = [
    aspects.length > mostBars ? `The ${mostBars} most frequent of ${aspects.length}.` : "",
    aspects.some(({ name }) => name === implicit) ? `${implicit}: an opinion that names no aspect.` : "",
  ];
  const dayIn = (column: string) => (one: Found) => readDay(findColumn(one.columns, [column])?.trim() ?? "");
  const time = source.header.find((column) => isTime(found.map(dayIn(column))));
  const days = time === undefined ? [] : countOpinions(found, dayIn(time));
  const failed = found.flatMap(({ result: { outcome, reasons } }) =>
    outcome === "decided" ? [] : [{ label: outcome, value: reasons.join("; ") }],
  );
  return [
    { id: "aspects", title: "By aspect", note: notes.join(" ").trim(), ...drawBars(aspects.slice(0, mostBars)) },
    ...(time === undefined ? [] : [{ id: "time", title: `Over time (${time})`, ...drawTime(days) }]),
    ...listExamples(found),
    ...(failed.length === 0
      ? []
      : [{ kind: "facts" as const, id: "problems", title: "Not decided", rows: failed.slice(0, mostTexts) }]),
  ];
}

type Shares = { name: string; counts: [positive: number, neutral: number, negative: number]; all: number };
const parts = ["positive", "neutral", "negative"] as const;
const tones = { positive: "good", neutral: "neutral", negative: "bad" } as const;

function countOpinions(found: readonly Found[], nameOf: (one: Found, aspect: string) => string | null): Shares[] {
  const shares = new Map<string, Shares>();
  for (const one of found)
    for (const { aspect_ref, polarity } of one.output?.final_result.final_tuples ?? []) {
      const name = nameOf(one, aspect_ref || implicit);
      if (name === null) continue;
      const row = shares.get(name) ?? { name, counts: [0, 0, 0], all: 0 };
      row.counts[parts.indexOf(polarity)] = (row.counts[parts.indexOf(polarity)] ?? 0) + 1;
      row.all += 1;
      shares.set(name, row);
    }
  return [...shares.values()];
}

function drawBars(rows: readonly Shares[]) {
  const most = Math.max(...rows.flatMap(({ counts }) => counts));
  return {
    kind: "table" as const,
    columns: ["", ...parts.map((name) => ({ name, numeric: true }))],
    rows: rows.map(({ name, counts }) => [
      cutText(name, 40),
      ...counts.map((count, at) => ({
        text: countText(count),
        tone: tones[parts[at] ?? "neutral"],
        share: count / most,
      })),
    ]),
  };
}

/** The share of positive opinions: bars for few days, a line for many. */
function drawTime(days: readonly Shares[]) {
  const rows = days.toSorted((a, b) => (a.name < b.name ? -1 : 1));
  if (rows.length <= mostBars) return drawBars(rows);
  const points = rows.map(({ name, counts, all }) => ({ name, value: counts[0] / all }));
  return { kind: "chart" as const, chart: { type: "line" as const, says: "opinions that are positive", points } };
}

function isTime(days: readonly (string | null)[]): boolean {
  const given = days.filter((day) => day !== null);
  return given.length >= 3 && given.length >= days.length * 0.9 && new Set(given).size > 1;
}

function readDay(text: string): string | null {
  const [, year, month = "", day = ""] = /^(\d{4})[-/.](\d{1,2})[-/.](\d{1,2})(?:[T\s].*)?$/.exec(text) ?? [];
  if (year === undefined || Number(month) > 12 || Number(day) > 31) return null;
  return `${year}-${month.padStart(2, "0")}-${day.padStart(2, "0")}`;
}

/** The surest texts of each kind; equal texts are shown once with their number. */
function listExamples(found: readonly Found[]): Section[] {
  const sureness = ({ output }: Found) => output?.final_result.confidence ?? 0;
  const sure = found.toSorted((a, b) => sureness(b) - sureness(a));
  const rows = (["negative", "positive", "mixed"] as const).flatMap((label) => {
    const own = sure.filter(({ output }) => output?.final_result.label === label);
    return [...Map.groupBy(own, ({ text }) => text)].slice(0, 3).map(([text, { length }]) => ({
      label,
      value: length > 1 ? `${text} (${length} times)` : text,
      tone: label === "mixed" ? ("neutral" as const) : tones[label],
    }));
  });
  return [{ kind: "facts", id: "examples", title: "Examples", note: "The most confident of each kind.", rows }];
}
