import { resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import type { AnyPack } from "../../engine/pack.ts";
import { type BatchResult, runBatch } from "../../runs/batch.ts";
import { checkCaseFile, readCaseRows } from "../../runs/case-rows.ts";
import { openDraft } from "../../store/replace-file.ts";
import { openFollowers } from "../terminal/followers.ts";
import { checkpoint, type Io } from "../terminal/io.ts";
import type { RunOptions } from "../setting/options.ts";
import { openStore, requestOf, runSetting, userConfig } from "../setting/setting.ts";

type FileOptions = RunOptions & { input: string; concurrency: number; fresh?: boolean };

/** Runs a file of cases; results stream to `--out` (or stdout) in the order of the cases. */
export async function runFile(io: Io, options: FileOptions, pack: AnyPack): Promise<void> {
  const input = resolve(io.cwd, options.input);
  await checkCaseFile(input, options.out === undefined ? null : resolve(io.cwd, options.out));
  const config = userConfig(io, options);
  const store = openStore(io, options, config);
  const followers = await openFollowers(io, options.quiet);
  const { progress } = followers;
  const count: Counts = { done: 0, reused: 0, failed: 0, others: new Map(), firstFailure: null };
  const started = performance.now();
  const onDone = (result: BatchResult, reused: boolean): void => {
    countResult(count, result, reused);
    const rate = count.done / ((performance.now() - started) / 1000);
    progress.line(`${count.done} cases · ${rate.toFixed(1)}/s${count.failed > 0 ? ` · ${count.failed} failed` : ""}`);
  };
  try {
    const { concurrency, fresh } = options;
    const rows = readCaseRows(input);
    const setting = { ...runSetting(io, store, config), onEvent: followers.trace };
    const results = runBatch(setting, {
      pack,
      rows,
      request: requestOf(options, config, pack),
      concurrency,
      fresh,
      onDone,
    });
    await writeResults(io, options, results);
    progress.clear();
    if (!options.quiet) io.err(summary(count));
    if (count.failed > 0) io.exit.code = 1;
  } catch (error) {
    throw adviseAgain(error);
  } finally {
    await followers.close();
    await store.close();
  }
}

/** Results are lines of FILE.partial until the last one is there; so an earlier FILE is never replaced by half of a later one. */
async function writeResults(io: Io, options: FileOptions, results: AsyncIterable<BatchResult>): Promise<void> {
  if (options.out === undefined) {
    for await (const result of results) {
      io.out(`${JSON.stringify(result)}\n`);
      await io.drained();
      checkpoint(io);
    }
    return;
  }
  const draft = openDraft(resolve(io.cwd, options.out), ".partial");
  try {
    for await (const result of results) draft.write(`${JSON.stringify(result)}\n`);
    draft.finish();
  } catch (error) {
    draft.abandon(true);
    throw error;
  }
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

type Counts = {
  done: number;
  reused: number;
  failed: number;
  /** How often each outcome but a decision or a failure came. */
  others: Map<string, number>;
  firstFailure: BatchResult | null;
};

function countResult(count: Counts, result: BatchResult, reused: boolean): void {
  const { outcome } = result;
  count.done += 1;
  if (reused) count.reused += 1;
  if (outcome === "error" || outcome === "failed") {
    count.failed += 1;
    count.firstFailure ??= result;
  } else if (outcome !== "decided") count.others.set(outcome, (count.others.get(outcome) ?? 0) + 1);
}

function summary({ done, reused, failed, others, firstFailure }: Counts): string {
  const parts = [`${done} cases`];
  if (reused > 0) parts.push(`${reused} done before`);
  for (const [outcome, times] of others) parts.push(`${times} ${outcome.replaceAll("_", " ")}`);
  if (failed > 0) parts.push(`${failed} failed`);
  const lines = [parts.join(" · ")];
  if (firstFailure) lines.push(`failed, for example, case ${firstFailure.case_id}: ${firstFailure.reasons.join("; ")}`);
  if (others.has("escalated")) lines.push("`parley review` lists what was escalated");
  return `${lines.join("\n")}\n`;
}
