import { resolve, join } from "node:path";
import { ParleyError } from "../contract/error.ts";
import type { Finding, DatasetRow, Warning } from "../engine/pack.ts";
import {
  type FinalOutput,
  type SentimentConfig,
  SentimentConfigSchema,
  sentiment,
  summariseGate,
  toGateSample,
  type GateSample,
  lineFiles,
  toJsonLines,
  verifyCounts,
  type SentimentGold,
  SentimentGoldSchema,
  computeRates,
  tally,
  classifyTransition,
  findWarnings,
} from "../packs/sentiment/index.ts";
import type { BatchResult } from "../runs/batch.ts";
import { checkCaseFile } from "../runs/case-rows.ts";
import { checkValue } from "../runs/settings.ts";
import { type Draft, openDraft, replaceFile } from "../store/replace-file.ts";
import { readText } from "../studies/datasets/rows.ts";
import { readCsv, readJsonl } from "../studies/datasets/rows.ts";
import { formatCount } from "../text/number-text.ts";
import { type Io, throwIfStopped } from "./io.ts";
import { type Batch, type BatchCount, type BatchEnd, type BatchOutput, listSpent } from "./run-file.ts";
import {
  type ResultTable,
  countEmptyRows,
  describeBadRows,
  findBadRows,
  findColumn,
  findTextColumns,
  idColumns,
  openResultTable,
  openTable,
  readTextRows,
} from "./sentiment-table.ts";
import { type MemoryFile, type SentimentOptions, openMemoryFile } from "./sentiment.ts";
import { loadUserConfig } from "./settings.ts";

/** A file of texts: one line per text on stdout, a table or all files of the batch under `--out`, metrics with `--report`. */
export async function openTextBatch(io: Io, file: string, options: SentimentOptions): Promise<Batch> {
  const path = resolve(io.cwd, file);
  await checkCaseFile(path, null);
  const table = await openTable(path, file);
  if (/\.txt$/i.test(file) && !options.quiet)
    io.err(`${file}: ${formatCount(table.total, "text")}, one on each line\n`);
  const columns = findTextColumns(file, table, options);
  const empty = countEmptyRows(table, columns);
  if (empty > 0) io.err(`${file}: ${formatCount(empty, "row has", "rows have")} no text: skipped\n`);
  sayBadRows(io, file, findBadRows(table, columns), options);
  /** The columns of the rows whose results are still to come, which they do in the same order. */
  const kept: Record<string, unknown>[] = [];
  const rows = readTextRows(table, columns, { ...options, onRow: (row) => kept.push(row) });
  const board = openScoreboard(options.gold === undefined ? null : readGold(io, options.gold));
  const memory = options.memory === undefined ? null : openMemoryFile(io, options.memory);
  return {
    pack: sentiment,
    file: path,
    replaces: options.out === undefined ? null : resolve(io.cwd, options.out),
    rows,
    noun: "texts",
    total: async () => table.total - empty,
    settings: (config) =>
      withEpisodes(asksModels(io, options) ? debateDoubts(config) : config, memory?.episodes ?? null),
    open(given) {
      const config = checkValue(SentimentConfigSchema, given ?? {}, "config of the sentiment pack", "bad_config");
      const out = options.out === undefined ? null : resolve(io.cwd, options.out);
      const results = out === null ? null : openResultTable(out, { name: file, header: table.header, columns, empty });
      const files = out === null || results ? null : openBatchFiles(out);
      return openTextOutput(io, options, { board, memory, files, results, config, nextRow: () => kept.shift() ?? {} });
    },
  };
}

type Parts = {
  board: Scoreboard;
  memory: MemoryFile | null;
  files: BatchFiles | null;
  results: ResultTable | null;
  config: SentimentConfig;
  nextRow(): Record<string, unknown>;
};

/** Rows that cannot be used are said once for the file: as an error, or as what is skipped. */
function sayBadRows(io: Io, file: string, problems: readonly string[], { skipBad }: SentimentOptions): void {
  if (problems.length === 0) return;
  const text = `${file}: ${describeBadRows(problems)}`;
  if (!skipBad) throw new ParleyError("bad_input", `${text}\nMend them, or skip them with --skip-bad`);
  io.err(`${text}: skipped\n`);
}

function openTextOutput(io: Io, options: SentimentOptions, parts: Parts): BatchOutput {
  const { board, memory, files, results, nextRow } = parts;
  return {
    add(result) {
      const output = result.decision as FinalOutput | null;
      if (output) {
        board.add(output);
        memory?.learn(output);
        files?.add(output);
      }
      results?.add(nextRow(), result);
      if (!results || options.json) printLine(io, options, result);
      if (files === null && memory === null && results === null) throwIfStopped(io);
    },
    finish: (count) => finish(io, options, parts, count),
    abandon: () => {
      files?.abandon();
      results?.abandon();
    },
  };
}

/** True unless every role is played by its expert. */
function asksModels(io: Io, options: SentimentOptions): boolean {
  const cast = options.cast ?? loadUserConfig(io, options).cast ?? "expert";
  return cast.trim() !== "expert";
}

/** A batch that costs money debates only the texts of which Stage 1 leaves a doubt, unless the settings say otherwise. */
function debateDoubts(given: unknown): unknown {
  const config = (given ?? {}) as { debate?: object; pipeline?: object };
  if (config.pipeline !== undefined) return config;
  return { ...config, debate: { when: "disagreement", ...config.debate } };
}

function withEpisodes(given: unknown, episodes: unknown[] | null): unknown {
  if (episodes === null) return given;
  const config = (given ?? {}) as { memory?: object };
  return { ...config, memory: { ...config.memory, episodes } };
}

function printLine(io: Io, options: SentimentOptions, result: BatchResult): void {
  if (options.json) {
    const { case_id, outcome, reasons, run, decision } = result;
    io.out(`${JSON.stringify({ ...(decision as object | null), parley: { case_id, run, outcome, reasons } })}\n`);
  } else if (!options.report) io.out(`${describeResult(result)}\n`);
}

/** `id  label confidence  aspect polarity, …` */
function describeResult({ case_id, outcome, reasons, decision }: BatchResult): string {
  const output = decision as FinalOutput | null;
  if (!output) return [case_id, outcome, reasons.join("; ")].join("\t");
  const { label, confidence, final_tuples } = output.final_result;
  const tuples = final_tuples.map((tuple) => `${tuple.aspect_ref || "(implicit)"} ${tuple.polarity}`).join(", ");
  return [case_id, `${label} ${confidence.toFixed(2)}`, tuples || "no opinion"].join("\t");
}

/** Writes what needs the whole batch: metrics, what the debate fixed and broke, the episodes learnt. */
async function finish(
  io: Io,
  options: SentimentOptions,
  { board, memory, files, results, config }: Parts,
  count: BatchCount,
): Promise<BatchEnd> {
  const rates = board.rates();
  const warnings = board.warnings(config.debate_thresholds);
  const transitions = board.transitions().map((line) => `${JSON.stringify(line)}\n`);
  const extra = {
    "metrics.json": `${JSON.stringify({ rates, warnings }, null, 2)}\n`,
    ...(options.gold === undefined ? {} : { "transitions.jsonl": transitions.join("") }),
  };
  const findings = files?.close(count.done, extra) ?? [];
  if (options.report) io.out(formatScoreboard(rates, warnings));
  const written = await results?.finish();
  if (written !== undefined && !options.quiet) io.err(`wrote ${options.out}: ${written}\n`);
  const learnt = memory?.save() ?? 0;
  return {
    closing: describeEnd(count, learnt, options.gold === undefined ? 0 : board.withoutGold()),
    problems: findings.flatMap(({ ok, check, message }) => (ok ? [] : [`${check}: ${message}`])),
  };
}

function describeEnd(count: BatchCount, learnt: number, withoutGold: number): string {
  const { done, reused, failed, others, notRun } = count;
  const undecided = [...others.values()].reduce((sum, times) => sum + times, 0);
  const parts = [formatCount(done, "text")];
  if (reused > 0) parts.push(`${reused} done before`);
  if (undecided > 0) parts.push(`${undecided} undecided`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (notRun > 0) parts.push(`${notRun} not run`);
  if (withoutGold > 0) parts.push(`${withoutGold} without gold`);
  if (learnt > 0) parts.push(`${learnt} episodes learnt`);
  return [...parts, ...listSpent(count)].join(" · ");
}

/** The artifact files of a batch, written afresh and line by line as NAME.partial; they get their names when all is there. */
export type BatchFiles = {
  add(output: FinalOutput): void;
  /** Writes what needs the whole batch, and checks that every file has a line for every case. */
  close(cases: number, extra: Record<string, string>): Finding[];
  /** Leaves what there is as NAME.partial. */
  abandon(): void;
};

export function openBatchFiles(folder: string): BatchFiles {
  const drafts = new Map<string, Draft>();
  const held = {
    what: `${folder} is being written`,
    advice: "wait for it, then the same line finds all done; or choose another --out",
  };
  // Whoever has the first file has them all.
  for (const [index, name] of Object.keys(lineFiles).entries())
    drafts.set(name, openDraft(join(folder, name), ".partial", index === 0 ? held : undefined));
  const samples: GateSample[] = [];
  const written: Record<"outputs" | "scorecards" | "traces", string[]> = { outputs: [], scorecards: [], traces: [] };
  return {
    add(output) {
      samples.push(toGateSample(output));
      for (const [name, linesOf] of Object.entries(lineFiles)) {
        const lines = linesOf(output);
        if (lines.length > 0) drafts.get(name)?.write(toJsonLines(lines));
        const counted = written[name.replace(".jsonl", "") as keyof typeof written];
        if (lines.length > 0) counted?.push(output.meta.text_id);
      }
    },
    close(cases, extra) {
      for (const draft of drafts.values()) draft.finish();
      const summary = `${JSON.stringify(summariseGate(samples), null, 2)}\n`;
      replaceFile(join(folder, "override_gate_debug_summary.json"), summary);
      for (const [name, content] of Object.entries(extra)) replaceFile(join(folder, name), content);
      return verifyCounts(written, cases);
    },
    abandon() {
      for (const draft of drafts.values()) draft.abandon(true);
    },
  };
}

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

/** Sums up decisions as they come, so that a long batch stays small. */
export type Scoreboard = ReturnType<typeof openScoreboard>;

export function openScoreboard(gold: ReadonlyMap<string, SentimentGold> | null) {
  const totals: Record<string, number> = {};
  const transitions: object[] = [];
  return {
    add(output: FinalOutput): void {
      const own = gold?.get(output.meta.text_id) ?? null;
      for (const [name, value] of Object.entries(tally(output, own))) totals[name] = (totals[name] ?? 0) + value;
      if (own === null) return;
      const kind = classifyTransition(output, own.tuples);
      if (kind === "fix" || kind === "break") transitions.push(buildTransition(kind, output, own));
    },
    rates: () => computeRates(totals),
    /** What the debate fixed and broke, case by case. */
    transitions: () => transitions,
    warnings: (thresholds: SentimentConfig["debate_thresholds"]) => findWarnings(computeRates(totals), thresholds),
    withoutGold: () => (totals.cases ?? 0) - (totals.gold_cases ?? 0),
  };
}

function buildTransition(kind: string, { meta, final_result }: FinalOutput, gold: SentimentGold): object {
  const { stage1_tuples, final_tuples } = final_result;
  return { text_id: meta.text_id, transition: kind, text: meta.text, gold: gold.tuples, stage1_tuples, final_tuples };
}

type Rates = Record<string, number | null>;

const qualityRows: [string, string][] = [
  ["tuple F1 (micro)", "tuple_f1"],
  ["tuple precision", "tuple_precision"],
  ["tuple recall", "tuple_recall"],
  ["tuple F1 (macro)", "tuple_f1_macro"],
  ["explicit tuples only F1", "explicit_tuple_f1"],
  ["aspect term F1", "aspect_term_f1"],
];

/** Metrics and warnings as text (sentiment spec §10). */
export function formatScoreboard(rates: Rates, warnings: readonly Warning[]): string {
  const sections = [quality(rates), single(rates), ...(warnings.length > 0 ? [formatWarnings(warnings)] : [])];
  return `${sections.filter((part) => part !== "").join("\n\n")}\n`;
}

function quality(rates: Rates): string {
  if (rates.tuple_f1_final === undefined) return "";
  const header = row("", ["Stage 1", "Stage 2", "final"]);
  const rows = qualityRows.map(([label, name]) =>
    row(
      label,
      ["stage1", "stage2", "final"].map((stage) => share(rates[`${name}_${stage}`])),
    ),
  );
  const transitions = `the debate fixed ${show(rates.n_fix)}, broke ${show(rates.n_break)}, kept ${show(rates.n_keep)} right; net gain ${share(rates.net_gain)}`;
  const polarity = `polarity on found aspects: accuracy ${share(rates.polarity_accuracy)}, macro-F1 ${share(rates.polarity_macro_f1)}`;
  const which = "tuple F1: exact term and polarity; a gold tuple without a term takes any unused tuple of its polarity";
  return [header, ...rows, which, "", polarity, transitions].join("\n");
}

function single(rates: Rates): string {
  const names = Object.keys(rates).filter((name) =>
    /^(debate_|adoption_rate|polarity_conflict|aspect_halluc)/.test(name),
  );
  return names.map((name) => row(name, [show(rates[name])], 52)).join("\n");
}

function formatWarnings(warnings: readonly Warning[]): string {
  return warnings
    .map(
      ({ level, metric, value, tip }) =>
        `${level === "high" ? "HIGH" : "warning"}: ${metric} is ${show(value)}. ${tip}`,
    )
    .join("\n");
}

function row(label: string, values: readonly string[], width = 28): string {
  return [label.padEnd(width), ...values.map((value) => value.padStart(9))].join("").trimEnd();
}

function share(value: number | null | undefined): string {
  return value === null || value === undefined ? "–" : value.toFixed(3);
}

function show(value: number | null | undefined): string {
  if (value === null || value === undefined) return "–";
  return Number.isInteger(value) ? String(value) : value.toFixed(3);
}
