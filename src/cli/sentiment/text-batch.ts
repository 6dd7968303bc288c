import { resolve } from "node:path";
import {
  type FinalOutput,
  type SentimentConfig,
  SentimentConfigSchema,
  sentiment,
} from "../../packs/sentiment/index.ts";
import type { BatchResult } from "../../runs/batch.ts";
import { checkValue } from "../../runs/read-settings.ts";
import { listSpent, type Batch, type BatchCount, type BatchEnd, type BatchOutput } from "../run/run-file.ts";
import { loadUserConfig } from "../setting/setting.ts";
import { throwIfStopped, type Io } from "../terminal/io.ts";
import { type BatchFiles, openBatchFiles } from "./batch-files.ts";
import { readGold } from "./gold-file.ts";
import { type MemoryFile, openMemoryFile } from "./memory-file.ts";
import { openScoreboard, type Scoreboard } from "./scoreboard.ts";
import { formatScoreboard } from "./scoreboard-text.ts";
import type { SentimentOptions } from "./sentiment-options.ts";
import { readTextRows } from "./text-rows.ts";

/** A file of texts: one line per text on stdout, all files of the batch under `--out`, metrics with `--report`. */
export function openTextBatch(io: Io, file: string, options: SentimentOptions): Batch {
  const board = openScoreboard(options.gold === undefined ? null : readGold(io, options.gold));
  const memory = options.memory === undefined ? null : openMemoryFile(io, options.memory);
  return {
    pack: sentiment,
    file: resolve(io.cwd, file),
    replaces: null,
    rows: readTextRows(io, file, options.lang),
    noun: "texts",
    settings: (config) =>
      withEpisodes(asksModels(io, options) ? debateDoubts(config) : config, memory?.episodes ?? null),
    open(given) {
      const config = checkValue(SentimentConfigSchema, given ?? {}, "config of the sentiment pack", "bad_config");
      const files = options.out === undefined ? null : openBatchFiles(resolve(io.cwd, options.out));
      return openTextOutput(io, options, { board, memory, files, config });
    },
  };
}

type Parts = { board: Scoreboard; memory: MemoryFile | null; files: BatchFiles | null; config: SentimentConfig };

function openTextOutput(io: Io, options: SentimentOptions, parts: Parts): BatchOutput {
  const { board, memory, files } = parts;
  return {
    add(result) {
      const output = result.decision as FinalOutput | null;
      if (output) {
        board.add(output);
        memory?.learn(output);
        files?.add(output);
      }
      printLine(io, options, result);
      if (files === null && memory === null) throwIfStopped(io);
    },
    finish: (count) => finish(io, options, parts, count),
    abandon: () => files?.abandon(),
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
function finish(
  io: Io,
  options: SentimentOptions,
  { board, memory, files, config }: Parts,
  count: BatchCount,
): BatchEnd {
  const rates = board.rates();
  const warnings = board.warnings(config.debate_thresholds);
  const transitions = board.transitions().map((line) => `${JSON.stringify(line)}\n`);
  const extra = {
    "metrics.json": `${JSON.stringify({ rates, warnings }, null, 2)}\n`,
    ...(options.gold === undefined ? {} : { "transitions.jsonl": transitions.join("") }),
  };
  const findings = files?.close(count.done, extra) ?? [];
  if (options.report) io.out(formatScoreboard(rates, warnings));
  const learnt = memory?.save() ?? 0;
  return {
    closing: describeEnd(count, learnt, options.gold === undefined ? 0 : board.withoutGold()),
    problems: findings.flatMap(({ ok, check, message }) => (ok ? [] : [`${check}: ${message}`])),
  };
}

function describeEnd(count: BatchCount, learnt: number, withoutGold: number): string {
  const { done, reused, failed, others } = count;
  const undecided = [...others.values()].reduce((sum, times) => sum + times, 0);
  const parts = [`${done} texts`];
  if (reused > 0) parts.push(`${reused} done before`);
  if (undecided > 0) parts.push(`${undecided} undecided`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (withoutGold > 0) parts.push(`${withoutGold} without gold`);
  if (learnt > 0) parts.push(`${learnt} episodes learnt`);
  return `${[...parts, ...listSpent(count)].join(" · ")}\n`;
}
