import { noCost, noUsage, type Usage, type WorstCase } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { AnyPack } from "../engine/pack.ts";
import { describeSpend, sumUsage, sumWorstCases } from "../engine/budget.ts";
import { type BatchResult, type CaseRow, checkCaseFile, runBatch } from "../runs/batch.ts";
import { createRunId } from "../runs/start.ts";
import { openDraft } from "../store/replace-file.ts";
import { formatCount } from "../text/format.ts";
import type { Given } from "./command.ts";
import { type Io, resolveOut, throwIfStopped } from "./io.ts";
import type { fileOptions, RunOptions } from "./options.ts";
import { makeRequest } from "./settings.ts";
import { withRuns } from "./stores.ts";

export type FileOptions = RunOptions & Given<ReturnType<typeof fileOptions>> & { batch?: string };

export type Batch = {
  pack: AnyPack;
  file: string;
  /** The file that the results replace; null if there is none. */
  replaces: string | null;
  rows: AsyncIterable<CaseRow>;
  total(): Promise<number>;
  /** The word for a case, e.g. `text`. */
  noun: string;
  open(config: unknown): BatchOutput;
};

type BatchOutput = {
  add(result: BatchResult): void | Promise<void>;
  finish(): void | Promise<void>;
  /** Keeps partial results under a name that marks them as incomplete. */
  abandon(): void;
};

/** How the cases of a batch ended; `reused` ones had been run before. */
type BatchCount = {
  outcomes: Map<BatchResult["outcome"], number>;
  reused: number;
  firstFailure: BatchResult | null;
  spent: Spent;
};

export async function runFile(io: Io, options: FileOptions, batch: Batch): Promise<void> {
  await checkCaseFile(batch.file, batch.replaces);
  const total = await batch.total();
  if (total === 0) throw new ParleyError("bad_input", `${batch.file}: the file is empty`);
  if (options.dryRun) return (await import("./dry-run.ts")).printDryRun(io, options, batch.pack, batch);
  const count: BatchCount = { outcomes: new Map(), reused: 0, firstFailure: null, spent: noneSpent };
  await withRuns(io, options, async ({ config, setting, progress }) => {
    progress.work(() => {
      const { tokens, usd: costUsd } = count.spent.spend;
      return { done: countOf(count), before: count.reused, total, failed: countOf(count, failures), tokens, costUsd };
    }, `${batch.noun}s`);
    const { budget, ...request } = makeRequest(io, options, config, batch.pack);
    const name = options.batch ?? (setting.workers && `file-${createRunId()}`);
    if (setting.workers && name) await setting.workers.limitBatch(name, budget ?? {}, noCost);
    let output: BatchOutput | null = null;
    try {
      output = batch.open(request.config);
      const results = runBatch(setting, {
        pack: batch.pack,
        rows: batch.rows,
        request: { ...request, budget: config.budget_per_case ?? {}, batch: name },
        budget,
        concurrency: options.concurrency,
        fresh: options.fresh,
        onDone: (result, reused) => countResult(count, result, reused),
      });
      for await (const result of results) await output.add(result);
      await output.finish();
      progress.clear();
      close(io, options, count, batch.noun);
    } catch (error) {
      output?.abandon();
      throw adviseAgain(error);
    }
  });
}

function close(io: Io, { quiet }: FileOptions, count: BatchCount, noun: string): void {
  if (!quiet) io.err(`${[describeEnd(count, noun), ...listLeftOut(count)].join("\n")}\n`);
  const left = countOf(count, ["not_run", "budget_exhausted"]);
  const all = countOf(count) === countOf(count, ["decided"]) + countOf(count, ["not_run"]);
  io.exit.code = Math.max(io.exit.code, left > 0 ? 4 : all ? 0 : 3);
}

const failures = ["error", "failed"] as const;

function countOf({ outcomes }: BatchCount, wanted?: readonly BatchResult["outcome"][]): number {
  return [...outcomes].reduce((sum, [outcome, times]) => sum + (wanted?.includes(outcome) === false ? 0 : times), 0);
}

function listLeftOut(count: BatchCount): string[] {
  const { firstFailure } = count;
  const lines: string[] = [];
  if (firstFailure)
    lines.push(
      `${countOf(count, failures) === 1 ? "failed" : "failed, for example"}: case ${firstFailure.case_id}: ${firstFailure.reasons.join("; ")}`,
    );
  const [stopped, notRun] = [countOf(count, ["budget_exhausted"]), countOf(count, ["not_run"])];
  if (notRun + stopped > 0)
    lines.push(
      `the budget is spent: ${formatCount(stopped, "case was", "cases were")} stopped and ${notRun} not run; run the same command with a larger --budget to continue`,
    );
  if (count.outcomes.has("escalated")) lines.push("`parley review` lists what was escalated");
  return lines;
}

function countResult(count: BatchCount, result: BatchResult, reused: boolean): void {
  const { outcome, spend, usage } = result;
  count.outcomes.set(outcome, countOf(count, [outcome]) + 1);
  if (failures.some((one) => one === outcome)) count.firstFailure ??= result;
  if (reused) count.reused += 1;
  else if (spend && usage)
    count.spent = { spend: sumWorstCases([count.spent.spend, spend]), usage: sumUsage([count.spent.usage, usage]) };
}

type Spent = { spend: WorstCase; usage: Usage };

const noneSpent: Spent = { spend: noCost, usage: noUsage };

/** A batch is continued by running it again, not run by run. */
export function adviseAgain(error: unknown): unknown {
  if (
    !(error instanceof ParleyError) ||
    !["interrupted", "output_closed", "store_failed", "write_failed"].includes(error.code)
  )
    return error;
  const message = `${error.message}\nRun the same command again: finished cases are kept and only the rest is run`;
  return new ParleyError(error.code, message, { cause: error });
}

/** Results of any pack as JSON Lines: to stdout, or to FILE.partial until complete. */
export function openResults(io: Io, out: string | undefined): BatchOutput {
  if (out === undefined)
    return {
      async add(result) {
        io.jsonLines([result]);
        await io.drained();
        throwIfStopped(io);
      },
      finish: () => undefined,
      abandon: () => undefined,
    };
  const file = resolveOut(io, { out });
  const draft = openDraft(file, ".partial", {
    what: `${file} is being written`,
    advice: "wait for it to finish, or choose another --out",
  });
  return {
    add: (result) => draft.write(`${JSON.stringify(result)}\n`),
    finish: () => draft.finish(),
    abandon: () => draft.abandon(true),
  };
}

function describeEnd(count: BatchCount, noun: string): string {
  const { outcomes, reused, spent } = count;
  const [failed, others] = [countOf(count, failures), new Map(outcomes)];
  for (const outcome of ["decided", ...failures] as const) others.delete(outcome);
  return [
    formatCount(countOf(count), noun),
    ...(reused > 0 ? [`${reused} done before`] : []),
    ...[...others].map(([outcome, times]) => `${times} ${outcome.replaceAll("_", " ")}`),
    ...(failed > 0 ? [`${failed} failed`] : []),
    ...(spent.spend.calls > 0 ? [describeSpend(spent)] : []),
  ].join(" · ");
}
