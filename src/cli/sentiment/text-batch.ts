import { resolve } from "node:path";
import {
  type FinalOutput,
  type SentimentConfig,
  SentimentConfigSchema,
  sentiment,
} from "../../packs/sentiment/index.ts";
import type { BatchResult } from "../../runs/batch/batch.ts";
import { checkValue } from "../../runs/settings/read-settings.ts";
import { listSpent, type Batch, type BatchCount, type BatchEnd, type BatchOutput } from "../run/run-file.ts";
import { loadUserConfig } from "../setting/setting.ts";
import { throwIfStopped, type Io } from "../terminal/io.ts";
import { type BatchFiles, openBatchFiles } from "./batch-files.ts";
import { readGold } from "./gold-file.ts";
import { type MemoryFile, openMemoryFile } from "./memory-file.ts";
import { openScoreboard, type Scoreboard } from "./scoreboard.ts";
import { formatScoreboard } from "./scoreboard-text.ts";
import type { SentimentOptions } from "./sentiment-options.ts";
import { ParleyError } from "../../contract/error.ts";
import { checkCaseFile } from "../../runs/batch/case-rows.ts";
import { formatCount } from "../../text/number-text.ts";
import { openTable } from "./read-table.ts";
import { openResultTable, type ResultTable } from "./result-table.ts";
import { describeBadRows, findBadRows, findTextColumns, readTextRows } from "./text-rows.ts";

/** A file of texts: one line per text on stdout, a table or all files of the batch under `--out`, metrics with `--report`. */
export async function openTextBatch(io: Io, file: string, options: SentimentOptions): Promise<Batch> {
  const path = resolve(io.cwd, file);
  await checkCaseFile(path, null);
  const table = await openTable(path, file);
  if (/\.txt$/i.test(file) && !options.quiet)
    io.err(`${file}: ${formatCount(table.total, "text")}, one on each line\n`);
  const columns = findTextColumns(file, table.header, options);
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
    total: async () => table.total,
    settings: (config) =>
      withEpisodes(asksModels(io, options) ? debateDoubts(config) : config, memory?.episodes ?? null),
    open(given) {
      const config = checkValue(SentimentConfigSchema, given ?? {}, "config of the sentiment pack", "bad_config");
      const out = options.out === undefined ? null : resolve(io.cwd, options.out);
      const results = out === null ? null : openResultTable(out, { name: file, header: table.header, columns });
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
