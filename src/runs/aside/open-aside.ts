import { extname } from "node:path";
import { Worker } from "node:worker_threads";
import { ParleyError } from "../../contract/error.ts";
import type { DebateResult } from "../../contract/result.ts";
import type { Run } from "../../contract/run.ts";
import type { AnyFinished, AnyPack } from "../../engine/pack.ts";
import type { Journal } from "../../engine/journal.ts";
import { recall, recallTurns } from "../../engine/recall.ts";
import { locatePackOrigin } from "../../packs/registry.ts";
import type { Aside } from "../start/run-setting.ts";
import { namesOnlyExperts, storeHeld } from "../start/hold-back.ts";
import type { AsideAnswer, AsideReply, AsideTask, AsideTrouble, ThreadData } from "./aside-message.ts";

/** Threads that play, until they are closed. */
export type OpenAside = Aside & { close(): Promise<void> };

/** A thread, the debates that it has been given and not answered, and what it died of. */
type Thread = { worker: Worker; given: Map<number, Pending>; death: { error: unknown } | null };
type Pending = { done(answer: AsideAnswer): void; failed(error: unknown): void };

/**
 * Starts threads for the runs of a pack. A debate of programs costs nothing and says the same again: so it is stored whole,
 * at its end, and one that was stopped is played again. When the signal comes, nothing is waited for.
 */
export function openAside(pack: AnyPack, jobs: number, signal?: AbortSignal): OpenAside {
  const origin = locatePackOrigin(pack.name);
  const threads = Array.from({ length: jobs }, () => startThread({ pack: pack.name, origin }));
  let number = 0;
  const stop = (): void => {
    for (const { worker, given } of threads) {
      failAll(given, new ParleyError("interrupted", "the run was interrupted"));
      void worker.terminate();
    }
  };
  signal?.addEventListener("abort", stop);
  const ask = async (run: Run): Promise<AsideAnswer> => {
    if (signal?.aborted) throw new ParleyError("interrupted", "the run was interrupted");
    const { worker, given, death } = threads.reduce((a, b) => (b.given.size < a.given.size ? b : a));
    if (death) throw death.error;
    const task: AsideTask = { number: (number += 1), run };
    return new Promise((done, failed) => {
      given.set(task.number, { done, failed });
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a thread has no origin
      worker.postMessage(task);
    });
  };
  return {
    play: (run, journal) => (namesOnlyExperts(run.manifest.cast) ? storeAnswer(ask(run), run, journal) : null),
    async close() {
      signal?.removeEventListener("abort", stop);
      await Promise.all(threads.map(({ worker }) => worker.terminate()));
    },
  };
}

function startThread(workerData: ThreadData): Thread {
  const ending = extname(new URL(import.meta.url).pathname);
  const worker = new Worker(new URL(`./aside-thread${ending}`, import.meta.url), { workerData });
  const given: Thread["given"] = new Map();
  const thread: Thread = { worker, given, death: null };
  worker.on("message", ({ number, text }: AsideReply) => {
    given.get(number)?.done(JSON.parse(text) as AsideAnswer);
    given.delete(number);
  });
  const die = (error: unknown): void => {
    thread.death ??= { error };
    failAll(given, error);
  };
  worker.on("error", die);
  worker.on("exit", (code) => die(new Error(`a thread of --jobs ended by itself, with code ${code}`)));
  return thread;
}

function failAll(given: Thread["given"], error: unknown): void {
  for (const { failed } of given.values()) failed(error);
  given.clear();
}

/** Stores what was said in a debate, also in one that came to grief, and gives its end. */
async function storeAnswer(asked: Promise<AsideAnswer>, run: Run, journal: Journal): Promise<AnyFinished> {
  const answer = await asked;
  await storeHeld(journal, answer.entries);
  if (answer.trouble) throw rebuildError(answer.trouble);
  const { input, config } = run.manifest;
  return {
    input,
    material: recall(answer.entries).material?.value ?? null,
    config,
    result: findResult(answer),
    turns: recallTurns(answer.entries),
  };
}

function findResult({ entries }: AsideAnswer): DebateResult {
  const end = entries.at(-1)?.body;
  if (end?.kind !== "end") throw new Error("a debate in a thread ended without an end");
  return end.result;
}

function rebuildError(trouble: AsideTrouble): Error {
  if (trouble.kind === "failure") return new ParleyError(trouble.code, trouble.message, { details: trouble.details });
  return Object.assign(new Error(trouble.message), { stack: trouble.stack });
}
