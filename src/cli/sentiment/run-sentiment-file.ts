import { resolve } from "node:path";
import { sentiment } from "../../packs/sentiment/pack.ts";
import { SentimentConfigSchema } from "../../packs/sentiment/config/config.ts";
import type { FinalOutput } from "../../packs/sentiment/schemas/final-output.ts";
import { type BatchResult, runBatch } from "../../runs/batch.ts";
import { checkCaseFile } from "../../runs/case-rows.ts";
import { checked } from "../../runs/read-settings.ts";
import { checkpoint, type Io } from "../terminal/io.ts";
import { openFollowers } from "../terminal/followers.ts";
import { adviseAgain } from "../run/run-file.ts";
import { requestOf, runSetting } from "../setting/setting.ts";
import { withNewStore } from "../setting/with-store.ts";
import { openBatchFiles } from "./batch-files.ts";
import { readGold } from "./gold-file.ts";
import { openMemoryFile } from "./memory-file.ts";
import { openScoreboard } from "./scoreboard.ts";
import { scoreboardText } from "./scoreboard-text.ts";
import type { SentimentOptions } from "./sentiment-options.ts";
import { readTextRows } from "./text-rows.ts";

/** Runs a file of texts: a line a text on stdout, all files of the batch under `--out`, metrics with `--report`. */
export async function runSentimentFile(io: Io, file: string, options: SentimentOptions): Promise<void> {
  const board = openScoreboard(options.gold === undefined ? null : readGold(io, options.gold));
  const memory = options.memory === undefined ? null : openMemoryFile(io, options.memory);
  const count = { cases: 0, reused: 0, failed: 0, undecided: 0 };
  await checkCaseFile(resolve(io.cwd, file), null);
  await withNewStore(io, options, async (store, user) => {
    const request = withMemory(requestOf(options, user, sentiment), memory?.episodes ?? null);
    const config = checked(SentimentConfigSchema, request.config ?? {}, "config of the sentiment pack", "bad_config");
    const files = options.out === undefined ? null : openBatchFiles(resolve(io.cwd, options.out));
    const followers = await openFollowers(io, options.quiet);
    try {
      const setting = { ...runSetting(io, store, user), onEvent: followers.trace };
      const rows = readTextRows(io, file, options.lang);
      const { concurrency, fresh } = options;
      const onDone = (_result: BatchResult, reused: boolean): void => void (count.reused += reused ? 1 : 0);
      for await (const result of runBatch(setting, { pack: sentiment, rows, request, concurrency, fresh, onDone })) {
        note(count, result);
        const output = result.decision as FinalOutput | null;
        if (output) {
          board.add(output);
          memory?.learn(output);
          files?.add(output);
        }
        printLine(io, options, result);
        if (files === null && memory === null) checkpoint(io);
        followers.progress.line(`${count.cases} texts${count.failed > 0 ? ` · ${count.failed} failed` : ""}`);
      }
    } catch (error) {
      files?.abandon();
      throw adviseAgain(error);
    } finally {
      await followers.close();
    }
    finish(io, options, { board, files, memory, count, config });
  });
}

type Counts = { cases: number; reused: number; failed: number; undecided: number };

function note(count: Counts, { outcome }: BatchResult): void {
  count.cases += 1;
  if (outcome === "error" || outcome === "failed") count.failed += 1;
  else if (outcome !== "decided") count.undecided += 1;
}

function withMemory<R extends { config?: unknown }>(request: R, episodes: unknown[] | null): R {
  if (episodes === null) return request;
  const config = (request.config ?? {}) as { memory?: object };
  return { ...request, config: { ...config, memory: { ...config.memory, episodes } } };
}

function printLine(io: Io, options: SentimentOptions, result: BatchResult): void {
  if (options.json) {
    const { case_id, outcome, reasons, run, decision } = result;
    io.out(`${JSON.stringify({ ...(decision as object | null), parley: { case_id, run, outcome, reasons } })}\n`);
  } else if (!options.report) io.out(`${lineOf(result)}\n`);
}

/** `id  label confidence  aspect polarity, …` */
function lineOf({ case_id, outcome, reasons, decision }: BatchResult): string {
  const output = decision as FinalOutput | null;
  if (!output) return [case_id, outcome, reasons.join("; ")].join("\t");
  const { label, confidence, final_tuples } = output.final_result;
  const tuples = final_tuples.map((tuple) => `${tuple.aspect_ref || "(implicit)"} ${tuple.polarity}`).join(", ");
  return [case_id, `${label} ${confidence.toFixed(2)}`, tuples || "no opinion"].join("\t");
}

function finish(
  io: Io,
  options: SentimentOptions,
  done: {
    board: ReturnType<typeof openScoreboard>;
    files: ReturnType<typeof openBatchFiles> | null;
    memory: ReturnType<typeof openMemoryFile> | null;
    count: Counts;
    config: { debate_thresholds: Parameters<ReturnType<typeof openScoreboard>["warnings"]>[0] };
  },
): void {
  const { board, count } = done;
  const rates = board.rates();
  const warnings = board.warnings(done.config.debate_thresholds);
  const transitions = board.transitions().map((line) => `${JSON.stringify(line)}\n`);
  const extra = {
    "metrics.json": `${JSON.stringify({ rates, warnings }, null, 2)}\n`,
    ...(options.gold === undefined ? {} : { "transitions.jsonl": transitions.join("") }),
  };
  const findings = done.files?.close(count.cases, extra) ?? [];
  if (options.report) io.out(scoreboardText(rates, warnings));
  const learnt = done.memory?.save() ?? 0;
  if (!options.quiet) io.err(closing(count, learnt, options.gold === undefined ? 0 : board.withoutGold()));
  const wrong = findings.filter((finding) => !finding.ok);
  for (const { check, message } of wrong) io.err(`${check}: ${message}\n`);
  if (count.failed > 0 || wrong.length > 0) io.exit.code = Math.max(io.exit.code, 1);
}

function closing({ cases, reused, failed, undecided }: Counts, learnt: number, withoutGold: number): string {
  const parts = [`${cases} texts`];
  if (reused > 0) parts.push(`${reused} done before`);
  if (undecided > 0) parts.push(`${undecided} undecided`);
  if (failed > 0) parts.push(`${failed} failed`);
  if (withoutGold > 0) parts.push(`${withoutGold} without gold`);
  if (learnt > 0) parts.push(`${learnt} episodes learnt`);
  return `${parts.join(" · ")}\n`;
}
