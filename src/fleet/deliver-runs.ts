import { ParleyError } from "../contract/error.ts";
import type { Run } from "../contract/run.ts";
import { readRun } from "../runs/read-run.ts";
import type { FinishedRun } from "../runs/start.ts";
import type { Store } from "../store/store.ts";
import type { EnqueueOptions, Queue } from "./queue.ts";

type Waiting = { done(finished: FinishedRun): void; failed(error: unknown): void };

const lookMs = 300;

/** Has runs played by workers, and looks after all that are waited for at once. The signal ends the waiting; the workers go on. */
export class Deliveries {
  readonly #store: Store;
  readonly #queue: Queue;
  readonly #signal: AbortSignal | undefined;
  readonly #waiting = new Map<string, Waiting[]>();
  #timer: NodeJS.Timeout | null = null;

  constructor(store: Store, queue: Queue, signal?: AbortSignal) {
    this.#store = store;
    this.#queue = queue;
    this.#signal = signal;
    signal?.addEventListener("abort", () => this.#stop(), { once: true });
  }

  async deliver(id: string, options?: EnqueueOptions): Promise<FinishedRun> {
    const run = await this.#store.get(id);
    if (!run) throw new ParleyError("unknown_run", `no run ${id} in ${this.#store.location}`);
    await this.#queue.enqueue({ id, pack: run.manifest.pack }, options);
    return new Promise((done, failed) => {
      this.#waiting.set(id, [...(this.#waiting.get(id) ?? []), { done, failed }]);
      if (this.#signal?.aborted) this.#stop();
      else this.#timer ??= setTimeout(() => void this.#look(), lookMs);
    });
  }

  async #look(): Promise<void> {
    const asked = [...this.#waiting.keys()];
    try {
      const open = await this.#queue.listOpen(asked);
      for (const run of asked) if (!open.has(run)) await this.#settle(run);
    } catch (error) {
      for (const run of asked) for (const { failed } of this.#leave(run)) failed(error);
    }
    this.#timer = this.#waiting.size > 0 ? setTimeout(() => void this.#look(), lookMs) : null;
  }

  async #settle(run: string): Promise<void> {
    const all = this.#leave(run);
    await readEnd(this.#store, this.#queue, run).then(
      (finished) => all.forEach(({ done }) => done(finished)),
      (error: unknown) => all.forEach(({ failed }) => failed(error)),
    );
  }

  #leave(run: string): Waiting[] {
    const all = this.#waiting.get(run) ?? [];
    this.#waiting.delete(run);
    return all;
  }

  #stop(): void {
    for (const { failed } of [...this.#waiting.values()].flat())
      failed(new ParleyError("interrupted", "stopped waiting; the workers continue with the queued runs"));
    this.#waiting.clear();
    if (this.#timer) clearTimeout(this.#timer);
    this.#timer = null;
  }
}

async function readEnd(store: Store, queue: Queue, id: string): Promise<FinishedRun> {
  const { run, material, turns, result } = await readRun(store, id);
  if (run.status === "finished" && result)
    return { runId: id, finished: { input: run.manifest.input, material, config: run.manifest.config, result, turns } };
  throw await explainOpenEnd(queue, run);
}

async function explainOpenEnd(queue: Queue, { id, status }: Run): Promise<ParleyError> {
  const details = { runId: id };
  if (status === "waiting") return new ParleyError("parked", `run ${id} waits for a person`, { details });
  const [dead] = await queue.listDead([id]);
  if (dead) return new ParleyError("endpoint_failed", `run ${id} was given up: ${dead.reason}`, { details });
  const how = `parley store fleet retry ${id} hands it out again`;
  return new ParleyError("cancelled", `run ${id} was cancelled before it ended; ${how}`, { details });
}
