import { setTimeout as sleep } from "node:timers/promises";
import type { Budget, WorstCase } from "../contract/budget.ts";
import { hasCode, ParleyError } from "../contract/error.ts";
import type { DebateResult, Outcome } from "../contract/result.ts";
import type { Manifest } from "../contract/run.ts";
import { sumWorstCases } from "../engine/budget.ts";
import { recall } from "../engine/journal.ts";
import type { AnyPack } from "../engine/pack.ts";
import type { Store } from "../store/store.ts";
import { type MeteredLevel, openMeteredLevel, withBudgets } from "./budgets.ts";
import { readRun } from "./read-run.ts";
import {
  continueRun,
  type FinishedRun,
  isOver,
  makeManifest,
  runKey,
  type RunRequest,
  type RunSetting,
  startRun,
} from "./start.ts";
import { createReadStream } from "node:fs";
import { stat } from "node:fs/promises";
import { createInterface } from "node:readline";
import type { Readable } from "node:stream";

/** The result of one case of a batch. */
export type BatchResult = {
  case_id: string;
  run: string | null;
  outcome: Outcome | "error" | "not_run";
  reasons: string[];
  decision: unknown;
  usage: DebateResult["usage"] | null;
  spend: DebateResult["spend"] | null;
};

/** Options of `runBatch`. */
export type BatchOptions = {
  pack: AnyPack;
  rows: AsyncIterable<CaseRow>;
  request: Omit<RunRequest, "pack" | "input" | "caseId">;
  concurrency: number;
  budget?: Budget;
  fresh?: boolean;
  onDone?(result: BatchResult, reused: boolean): void;
};

/** Runs the cases and yields results in their order; a failing case is a result, not the end. */
export async function* runBatch(setting: RunSetting, options: BatchOptions): AsyncGenerator<BatchResult> {
  const { budget = {} } = options;
  const isLimited = Object.values(budget).some((limit) => limit !== undefined);
  const level = isLimited ? openMeteredLevel(budget, "batch") : null;
  const own = { ...setting, castOf: level ? withBudgets(setting.castOf, [level]) : setting.castOf };
  yield* mapInOrder(options.rows, options.concurrency, (row) => runRow(own, options, row, level));
}

async function runRow(
  setting: RunSetting,
  options: BatchOptions,
  row: CaseRow,
  level: MeteredLevel | null,
): Promise<BatchResult> {
  let reused = false;
  const result = await (async () => {
    try {
      if (row.problem !== null) throw new ParleyError("bad_input", row.problem);
      const asked = { ...options.request, pack: options.pack, input: row.input, caseId: row.id };
      const request = { ...asked, manifest: makeManifest(asked) };
      let isCounted = false;
      for (;;) {
        const found = options.fresh ? null : await findDone(setting, request);
        reused = found?.done === true;
        const before = found?.done ? await readResult(setting, found.id, row.id) : null;
        if (before?.spend && !isCounted) level?.carry(before.spend);
        if (before) return before;
        if (level?.isSpent())
          return makeEmpty(row.id, found?.id ?? null, "not_run", "the batch's budget was spent before this case");
        if (found && level && !isCounted) level.carry(await readSpent(setting.store, found.id));
        isCounted = true;
        const once = options.fresh ? undefined : {};
        const run = await unlessTaken(setting.signal, () =>
          found ? continueRun(setting, options.pack, found.id) : startRun(setting, { ...request, once }),
        );
        if (run) return makeResult(run.runId, run.finished.result, row.id);
      }
    } catch (error) {
      if (!(error instanceof ParleyError) || isFatal(error)) throw error;
      const { runId } = error.details;
      return makeEmpty(row.id, typeof runId === "string" ? runId : null, "error", error.message);
    }
  })();
  options.onDone?.(result, reused);
  return result;
}

const lookAgainMs = 250;

/** Plays a run. If another process has it, waits a moment and returns null, so that its result is used. */
async function unlessTaken(signal: AbortSignal | undefined, play: () => Promise<FinishedRun>) {
  try {
    return await play();
  } catch (error) {
    if (!hasCode(error, "run_locked") && !hasCode(error, "lost_lease")) throw error;
    await sleep(lookAgainMs, null, { signal }).catch(() => {
      throw new ParleyError("interrupted", "interrupted while another process was running a case");
    });
    return null;
  }
}

async function findDone(
  setting: RunSetting,
  { manifest, caseId }: { manifest: Manifest; caseId: string },
): Promise<{ id: string; done: boolean } | null> {
  const key = runKey(manifest, caseId);
  const [run] = await setting.store.list({ key, limit: 1 });
  if (!run) return null;
  return { id: run.id, done: isOver(run) };
}

function makeResult(run: string, result: DebateResult, caseId: string): BatchResult {
  const { outcome, reasons, decision, usage, spend } = result;
  return { case_id: caseId, run, outcome, reasons, decision, usage, spend };
}

async function readResult(setting: RunSetting, id: string, caseId: string): Promise<BatchResult> {
  const { result } = await readRun(setting.store, id);
  if (!result) throw new ParleyError("corrupt_store", `run ${id} is marked finished but has no result`);
  return makeResult(id, result, caseId);
}

/** What a run has cost so far, including calls that died with their process. */
export async function readSpent(store: Store, id: string): Promise<WorstCase> {
  const { spent, lost } = recall((await store.journal(id)).entries);
  return sumWorstCases([spent, lost]);
}

function makeEmpty(caseId: string, run: string | null, outcome: "error" | "not_run", reason: string): BatchResult {
  return { case_id: caseId, run, outcome, reasons: [reason], decision: null, usage: null, spend: null };
}

function isFatal(error: ParleyError): boolean {
  return ["interrupted", "store_failed", "bad_config", "bad_cast", "missing_key"].includes(error.code);
}

export type CaseRow = { id: string; line: number; input: unknown; problem: string | null };

/** Reads JSON Lines one by one; a bad row is yielded with its problem, and ids must not repeat. */
export async function* readCaseRows(file: string, stream?: Readable): AsyncGenerator<CaseRow> {
  const input = stream ?? createReadStream(file);
  const seen = new Set<string>();
  let line = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      const trimmed = (line === 1 ? text.replace(/^\uFEFF/, "") : text).trim();
      if (trimmed === "") continue;
      const row = readRow(trimmed, line, file);
      if (seen.has(row.id)) yield { ...row, problem: `${file}:${line}: the id "${row.id}" was used by an earlier row` };
      else yield row;
      seen.add(row.id);
    }
  } catch (cause) {
    const why = (cause as NodeJS.ErrnoException).code === "ENOENT" ? "there is no such file" : (cause as Error).message;
    throw new ParleyError("bad_input", `${file}: ${why}`, { cause });
  }
}

export async function countLines(file: string): Promise<number> {
  let count = 0;
  for await (const line of createInterface({ input: createReadStream(file), crlfDelay: Number.POSITIVE_INFINITY }))
    if (line.trim() !== "") count += 1;
  return count;
}

export async function checkCaseFile(file: string, resultsFile: string | null): Promise<void> {
  const found = await stat(file).catch(() => null);
  if (!found) throw new ParleyError("bad_input", `${file}: there is no such file`);
  if (found.isDirectory()) throw new ParleyError("bad_input", `${file}: that is a folder; give one file of JSON Lines`);
  const results = resultsFile === null ? null : await stat(resultsFile).catch(() => null);
  if (results && results.ino === found.ino && results.dev === found.dev && results.isFile())
    throw new ParleyError("bad_input", `--out ${file}: the results would replace the cases; give another file`);
}

function readRow(text: string, line: number, file: string): CaseRow {
  try {
    const input: unknown = JSON.parse(text);
    const id = (input as { id?: unknown } | null)?.id;
    return {
      id: typeof id === "string" || typeof id === "number" ? String(id) : String(line),
      line,
      input,
      problem: null,
    };
  } catch (error) {
    return {
      id: String(line),
      line,
      input: null,
      problem: `${file}:${line}: not valid JSON: ${(error as Error).message}; a line is one case as a JSON object`,
    };
  }
}

/** Maps several items at once and yields results in order. Never runs far ahead of its reader, and ends only when everything it began has settled. */
export async function* mapInOrder<T, R>(
  items: AsyncIterable<T>,
  concurrency: number,
  work: (item: T) => Promise<R>,
): AsyncGenerator<R> {
  const pending: Promise<R>[] = [];
  const ahead = concurrency * 4;
  const turnstile = createTurnstile(concurrency);
  let failed = false;
  try {
    for await (const item of items) {
      await turnstile.enter();
      if (failed) break;
      const done = work(item).finally(turnstile.leave);
      done.catch(() => (failed = true));
      pending.push(done);
      while (pending.length >= ahead) yield await (pending.shift() as Promise<R>);
    }
    for (const done of pending) yield await done;
  } finally {
    await Promise.allSettled(pending);
  }
}

export function createTurnstile(width: number) {
  let inside = 0;
  const waiting: (() => void)[] = [];
  return {
    async enter(): Promise<void> {
      if (inside < width) inside += 1;
      else await new Promise<void>((resolve) => waiting.push(resolve));
    },
    leave(): void {
      const next = waiting.shift();
      if (next) next();
      else inside -= 1;
    },
  };
}
