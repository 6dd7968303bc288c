import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { sumWorstCases } from "../../engine/sum-worst-cases.ts";
import { type BatchResult, runBatch } from "../../runs/batch.ts";
import { type CaseRow, checkCaseFile } from "../../runs/case-rows.ts";
import type { RunRequest } from "../../runs/start-run.ts";
import { formatSpend, type SpentAmounts } from "../../text/spend-text.ts";
import type { RunOptions } from "../setting/options.ts";
import { loadUserConfig, makeRequest, makeRunSetting } from "../setting/setting.ts";
import { withNewStore } from "../setting/with-store.ts";
import { openFollowers } from "../terminal/followers.ts";
import type { Io } from "../terminal/io.ts";
import { openDriftWatch } from "./watch-drift.ts";

/** The options of every command that runs a file of cases. */
export type FileOptions = RunOptions & { concurrency: number; fresh?: boolean };

/** A file of cases, the pack that they are for, and what becomes of the results. */
export type Batch = {
  pack: AnyPack;
  file: string;
  /** The file that the results replace; null when they go elsewhere. */
  replaces: string | null;
  rows: AsyncIterable<CaseRow>;
  /** What the cases are called, in the plural. */
  noun: string;
  /** The settings of every case, when the batch brings some of its own. */
  settings?(config: unknown): unknown;
  /** Opens what the results are written to; the settings are known by now. */
  open(config: unknown): BatchOutput;
};

/** Takes the results of a batch one by one, in the order of the cases. */
export type BatchOutput = {
  add(result: BatchResult): void | Promise<void>;
  /** After the last result: puts files in their place and says how the batch went. */
  finish(count: BatchCount): BatchEnd;
  /** Leaves what there is under a name that says it is not complete. */
  abandon(): void;
};

/** The line to close with, and what is wrong with the files of the batch. */
export type BatchEnd = { closing: string; problems: string[] };

/** How many cases a batch has done so far, and how they ended. */
export type BatchCount = {
  done: number;
  reused: number;
  failed: number;
  /** How often each outcome but a decision or a failure came. */
  others: Map<string, number>;
  firstFailure: BatchResult | null;
  /** What the cases of this session spent. */
  spent: SpentAmounts;
};

/** Runs a file of cases; its results go to the batch's output in the order of the cases. */
export async function runFile(io: Io, options: FileOptions, batch: Batch): Promise<void> {
  await checkCaseFile(batch.file, batch.replaces);
  if (options.dryRun) return printFileDryRun(io, options, batch);
  await withNewStore(io, options, async (store, user) => {
    const followers = await openFollowers(io, options.quiet);
    const { progress, trace } = followers;
    const count: BatchCount = {
      done: 0,
      reused: 0,
      failed: 0,
      others: new Map(),
      firstFailure: null,
      spent: nothingSpent,
    };
    const startedMs = performance.now();
    const onDone = (result: BatchResult, reused: boolean): void => {
      countResult(count, result, reused);
      progress.line(describeProgress(count, batch.noun, performance.now() - startedMs));
    };
    let output: BatchOutput | null = null;
    try {
      const request = addSettings(batch, makeRequest(io, options, user, batch.pack));
      output = batch.open(request.config);
      const setting = { ...makeRunSetting(io, store, user), onEvent: trace };
      const { concurrency, fresh } = options;
      const results = runBatch(setting, { pack: batch.pack, rows: batch.rows, request, concurrency, fresh, onDone });
      const drift = openDriftWatch(io, options, batch.pack);
      for await (const result of results) {
        drift.add(result);
        await output.add(result);
      }
      const end = output.finish(count);
      progress.clear();
      drift.finish();
      close(io, options, count, end);
    } catch (error) {
      output?.abandon();
      throw adviseAgain(error);
    } finally {
      await followers.close();
    }
  });
}

async function printFileDryRun(io: Io, options: FileOptions, { pack, rows, noun, settings }: Batch): Promise<void> {
  const config = loadUserConfig(io, options);
  const request = addSettings({ settings }, makeRequest(io, options, config, pack));
  await (await import("./dry-run.ts")).printBatchDryRun(io, options, request, { rows, noun, config });
}

function addSettings(
  { settings }: Pick<Batch, "settings">,
  request: Omit<RunRequest, "input">,
): Omit<RunRequest, "input"> {
  return settings ? { ...request, config: settings(request.config) } : request;
}

function close(io: Io, { quiet }: FileOptions, { failed }: BatchCount, { closing, problems }: BatchEnd): void {
  if (!quiet) io.err(closing);
  for (const problem of problems) io.err(`${problem}\n`);
  if (failed > 0 || problems.length > 0) io.exit.code = Math.max(io.exit.code, 1);
}

function countResult(count: BatchCount, result: BatchResult, reused: boolean): void {
  const { outcome } = result;
  count.done += 1;
  if (!reused) count.spent = addSpent(count.spent, result);
  if (reused) count.reused += 1;
  if (outcome === "error" || outcome === "failed") {
    count.failed += 1;
    count.firstFailure ??= result;
  } else if (outcome !== "decided") count.others.set(outcome, (count.others.get(outcome) ?? 0) + 1);
}

const nothingSpent: SpentAmounts = { calls: 0, tokens: 0, usd: 0, used: 0, cached: 0 };

function addSpent(before: SpentAmounts, { spend, usage }: BatchResult): SpentAmounts {
  if (!spend || !usage) return before;
  const { calls, tokens, usd } = sumWorstCases([before, spend]);
  const used = before.used + usage.inputTokens + usage.outputTokens;
  return { calls, tokens, usd, used, cached: before.cached + usage.cachedTokens };
}

/** What the session spent, for the line that closes it; nothing is said of programs. */
export function listSpent({ spent }: BatchCount): string[] {
  return spent.calls > 0 ? [formatSpend(spent)] : [];
}

function describeProgress({ done, failed }: BatchCount, noun: string, elapsedMs: number): string {
  const rate = done / (elapsedMs / 1000);
  return `${done} ${noun} · ${rate.toFixed(1)}/s${failed > 0 ? ` · ${failed} failed` : ""}`;
}

/** A batch is taken up by running it again, not run by run. */
export function adviseAgain(error: unknown): unknown {
  if (
    !(error instanceof ParleyError) ||
    !["interrupted", "output_closed", "store_failed", "write_failed"].includes(error.code)
  )
    return error;
  const message = `${error.message}\nNothing is lost. Run the same line again: what is done is kept, the rest goes on`;
  return new ParleyError(error.code, message, { cause: error });
}
