import type { Budget } from "../../contract/budget.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type { DebateEvent } from "../../contract/journal.ts";
import type { Run } from "../../contract/run.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { createTurnstile } from "../../runs/batch.ts";
import { requireRun } from "../../runs/read-run.ts";
import {
  beginRun,
  type BegunRun,
  type CastOf,
  continueRun,
  type FinishedRun,
  prepareRun,
  type RunRequest,
} from "../../runs/start.ts";
import type { Store } from "../../store/store.ts";
import { RequestError } from "../http/request.ts";

type LiveOptions = {
  store: Store;
  castOf: CastOf;
  maxRuns: number;
  maxQueued: number;
  onEvent(event: DebateEvent, run: Run): void;
  onStopped(run: string, error: ParleyError | null): void;
};

type OnEvent = LiveOptions["onEvent"];
type Given = { budget?: Budget; castOf?: CastOf; onEvent?: OnEvent };
type TakenUp = Given & { begun?: BegunRun };
type Entry = { stop: AbortController; isRunning: boolean; done: Promise<FinishedRun> };

export type Runs = Pick<LiveRuns, "start" | "resume" | "cancel" | "has" | "close">;

export class LiveRuns {
  readonly #options: LiveOptions;
  readonly #turnstile: ReturnType<typeof createTurnstile>;
  readonly #live = new Map<string, Entry>();
  readonly #arriving = new Set<Promise<BegunRun>>();
  #forgetting: Promise<void> = Promise.resolve();
  readonly #noted = new Map<string, Promise<void>>();
  #isClosed = false;

  constructor(options: LiveOptions) {
    this.#options = options;
    this.#turnstile = createTurnstile(options.maxRuns);
  }

  async start(request: RunRequest, onEvent?: OnEvent): Promise<{ id: string; done: Promise<FinishedRun> }> {
    this.#requireRoom();
    const { store, castOf } = this.#options;
    const arrival = beginRun({ store, castOf }, request);
    this.#arriving.add(arrival);
    const begun = await arrival.finally(() => this.#arriving.delete(arrival));
    const { done } = this.#takeUp(begun.id, { onEvent, begun });
    // A run that was announced must be found, even if this server dies.
    await Promise.all([begun.stored, this.#note(begun.id)]);
    return { id: begun.id, done };
  }

  resume(id: string, given?: Given): { done: Promise<FinishedRun> } {
    this.#requireRoom();
    return { done: this.#takeUp(id, given).done };
  }

  cancel(id: string): boolean {
    this.#live.get(id)?.stop.abort();
    return this.#live.has(id);
  }

  has(id: string): boolean {
    return this.#live.has(id);
  }

  async close(graceMs: number): Promise<void> {
    this.#isClosed = true;
    await Promise.allSettled(this.#arriving);
    const entries = [...this.#live.values()];
    for (const entry of entries) if (!entry.isRunning) entry.stop.abort();
    const timer = setTimeout(() => {
      for (const entry of entries) entry.stop.abort();
    }, graceMs);
    await Promise.allSettled(entries.map((entry) => entry.done));
    clearTimeout(timer);
    await this.#forgetting;
  }

  #requireRoom(): void {
    const { maxRuns, maxQueued } = this.#options;
    if (this.#isClosed) throw new RequestError("shutting_down", "the server is shutting down and accepts no more runs");
    if (this.#live.size + this.#arriving.size < maxRuns + maxQueued) return;
    const message = `${this.#live.size} runs are already running or waiting; try again later`;
    throw new RequestError("too_many", message, { "retry-after": "5" });
  }

  #takeUp(id: string, given: TakenUp = {}): Entry {
    if (this.#live.has(id)) throw new RequestError("conflict", `run ${id} is already running`);
    const entry: Entry = { stop: new AbortController(), isRunning: false, done: Promise.resolve() as never };
    this.#live.set(id, entry);
    if (this.#isClosed) entry.stop.abort();
    entry.done = this.#play(id, entry, given);
    void entry.done.then(
      () => this.#end(id, null),
      (error: unknown) => this.#end(id, error),
    );
    return entry;
  }

  async #play(id: string, entry: Entry, given: TakenUp): Promise<FinishedRun> {
    await this.#note(id);
    await this.#turnstile.enter();
    try {
      const { store, castOf } = this.#options;
      const { signal } = entry.stop;
      entry.isRunning = !signal.aborted;
      const onEvent: OnEvent = (event, run) => {
        this.#options.onEvent(event, run);
        given.onEvent?.(event, run);
      };
      const setting = { store, castOf: given.castOf ?? castOf, signal, onEvent };
      if (given.begun) return await given.begun.play(setting);
      if (signal.aborted) throw new ParleyError("interrupted", `run ${id} was stopped before it could continue`);
      const run = await requireRun(store, id);
      return await continueRun(setting, await loadPackOf(run.manifest), id, { budget: given.budget });
    } finally {
      this.#turnstile.leave();
    }
  }

  /** Leaves a note for the next server; retries because another process has the run do not count. */
  #note(id: string): Promise<void> {
    const written = this.#noted.get(id) ?? this.#options.store.recovery.note(id);
    this.#noted.set(id, written);
    return written;
  }

  #end(id: string, error: unknown): void {
    this.#live.delete(id);
    // The next server resumes a run stopped by shutdown; a locked run is retried.
    if (!(this.#isClosed && hasCode(error, "interrupted")) && !hasCode(error, "run_locked")) this.#forget(id);
    this.#options.onStopped(id, error === null ? null : asParleyError(error));
  }

  #forget(id: string): void {
    this.#noted.delete(id);
    // If this is lost, the next server sees that the run has ended.
    const forgotten = this.#options.store.recovery.forget(id).catch(() => undefined);
    this.#forgetting = this.#forgetting.then(() => forgotten);
  }
}

function asParleyError(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error;
  return new ParleyError("expert_failed", "the run failed because of a bug in Parley", { cause: error });
}

type FleetRunsOptions = { store: Store; castOf: CastOf; fleet: Fleet };

/**
 * Runs of a server with separate workers: stored here, played there. Only people's answers are taken here; a worker
 * then continues the run, so nothing is held while somebody thinks.
 */
export function createFleetRuns(here: Runs, { store, castOf, fleet }: FleetRunsOptions): Runs {
  const closing = new AbortController();
  const workers = fleet.workers({ signal: closing.signal });
  const handOver = (id: string, given: Given = {}): Promise<FinishedRun> => {
    const done = workers.play(id, { budget: given.budget });
    done.catch(() => undefined);
    return done;
  };
  return {
    cancel: (id) => here.cancel(id),
    has: (id) => here.has(id),
    async start(request) {
      const id = await prepareRun({ store, castOf, workers }, request);
      return { id, done: handOver(id) };
    },
    resume(id, given) {
      if (!given?.castOf) return { done: handOver(id, given) };
      const { done } = here.resume(id, given);
      const left = done.catch(async (error: unknown) => {
        const run = hasCode(error, "interrupted") ? await store.get(id) : null;
        if (run) await fleet.queue.enqueue({ id, pack: run.manifest.pack });
        throw error;
      });
      return { done: left };
    },
    async close(graceMs) {
      closing.abort();
      await here.close(graceMs);
    },
  };
}
