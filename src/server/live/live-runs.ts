import type { Budget } from "../../contract/budget.ts";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type { DebateEvent } from "../../contract/event.ts";
import type { Run } from "../../contract/run.ts";
import type { Fleet } from "../../fleet/fleet.ts";
import { stopWhenLeft } from "../../fleet/leave-to-workers.ts";
import { loadPackOf } from "../../packs/registry.ts";
import { createTurnstile } from "../../runs/case-rows.ts";
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

/** What runs of a server need. */
export type LiveOptions = {
  store: Store;
  castOf: CastOf;
  maxRuns: number;
  maxQueued: number;
  onEvent(event: DebateEvent, run: Run): void;
  /** Told when a run is no longer played here; `error` is why, when it did not end by itself. */
  onStopped(run: string, error: ParleyError | null): void;
};

/** The runs that a server plays or has in its queue. */
export type LiveRuns = {
  /** Stores a run and takes it up; `done` resolves with its end. */
  start(request: RunRequest, onEvent?: OnEvent): Promise<{ id: string; done: Promise<FinishedRun> }>;
  /** Takes up a stored run; resolves with its end. `castOf` may bring another person to answer. */
  resume(id: string, options?: Given): { done: Promise<FinishedRun> };
  cancel(id: string): boolean;
  has(id: string): boolean;
  /** Resolves when a run is not played here any more. */
  settled(id: string): Promise<void>;
  counts(): { running: number; queued: number };
  /** Takes nothing up any more, stops what runs, and resolves when all of it is parked or ended. */
  close(graceMs: number): Promise<void>;
};

type OnEvent = LiveOptions["onEvent"];
type Given = { budget?: Budget; castOf?: CastOf; onEvent?: OnEvent };
/** How a run is taken up: one that was begun here needs no reading. */
type TakenUp = Given & { begun?: BegunRun };
type Live = { stop: AbortController; isRunning: boolean; done: Promise<FinishedRun> };

export function createLiveRuns(options: LiveOptions): LiveRuns {
  const { store, maxRuns, maxQueued } = options;
  const live = new Map<string, Live>();
  const turnstile = createTurnstile(maxRuns);
  let isClosed = false;
  /** Runs that are being stored. */
  const arriving = new Set<Promise<BegunRun>>();
  const forgetting = new Set<Promise<void>>();
  const noted = new Map<string, Promise<void>>();
  /** Leaves a word for the next server; a run that is tried again here, because another process has it, does not count again. */
  const note = (id: string): Promise<void> => {
    const written = noted.get(id) ?? store.recovery.note(id);
    noted.set(id, written);
    return written;
  };
  const requireRoom = (): void => {
    if (isClosed) throw new RequestError("shutting_down", "the server is going down and takes no more runs");
    if (live.size + arriving.size >= maxRuns + maxQueued)
      throw new RequestError("too_many", `${live.size} runs are under way or waiting already; try again later`, {
        "retry-after": "5",
      });
  };
  const play = async (id: string, entry: Live, given: TakenUp): Promise<FinishedRun> => {
    await note(id);
    await turnstile.enter();
    try {
      const { signal } = entry.stop;
      entry.isRunning = !signal.aborted;
      const onEvent: OnEvent = (event, run) => {
        options.onEvent(event, run);
        given.onEvent?.(event, run);
      };
      const setting = { store, castOf: given.castOf ?? options.castOf, signal, onEvent };
      if (given.begun) return await given.begun.play(setting);
      if (signal.aborted) throw new ParleyError("interrupted", `run ${id} was stopped before it went on`);
      const pack = await loadPackOf((await requireRun(store, id)).manifest);
      return await continueRun(setting, pack, id, { budget: given.budget });
    } finally {
      turnstile.leave();
    }
  };
  const takeUp = (id: string, given: TakenUp = {}): Live => {
    if (live.has(id)) throw new RequestError("conflict", `run ${id} is under way already`);
    const entry: Live = { stop: new AbortController(), isRunning: false, done: Promise.resolve() as never };
    live.set(id, entry);
    if (isClosed) entry.stop.abort();
    entry.done = play(id, entry, given);
    void entry.done.then(
      () => ended(id, null),
      (error: unknown) => ended(id, error),
    );
    return entry;
  };
  const forget = (id: string): void => {
    noted.delete(id);
    // Should that be lost, the next server sees that the run has ended.
    const one = store.recovery
      .forget(id)
      .catch(() => undefined)
      .finally(() => forgetting.delete(one));
    forgetting.add(one);
  };
  const ended = (id: string, error: unknown): void => {
    live.delete(id);
    // What a server that goes down has stopped is taken up by the next one; what another process has is tried again.
    if (!(isClosed && hasCode(error, "interrupted")) && !hasCode(error, "run_locked")) forget(id);
    options.onStopped(id, error === null ? null : asParleyError(error));
  };
  return {
    async start(request, onEvent) {
      requireRoom();
      const arrival = beginRun({ store, castOf: options.castOf }, request);
      arriving.add(arrival);
      const begun = await arrival.finally(() => arriving.delete(arrival));
      const { done } = takeUp(begun.id, { onEvent, begun });
      // Whoever is told of a run must find it when they ask for it, also when this server dies.
      await Promise.all([begun.stored, note(begun.id)]);
      return { id: begun.id, done };
    },
    resume(id, given) {
      requireRoom();
      return { done: takeUp(id, given).done };
    },
    cancel(id) {
      live.get(id)?.stop.abort();
      return live.has(id);
    },
    has: (id) => live.has(id),
    settled: async (id) => void (await live.get(id)?.done.catch(() => undefined)),
    counts() {
      const running = [...live.values()].filter((entry) => entry.isRunning).length;
      return { running, queued: live.size - running };
    },
    async close(graceMs) {
      isClosed = true;
      await Promise.allSettled(arriving);
      for (const entry of live.values()) if (!entry.isRunning) entry.stop.abort();
      const all = Promise.allSettled([...live.values()].map((entry) => entry.done));
      const timer = setTimeout(() => {
        for (const entry of live.values()) entry.stop.abort();
      }, graceMs);
      await all;
      clearTimeout(timer);
      await Promise.all(forgetting);
    },
  };
}

async function requireRun(store: Store, id: string): Promise<Run> {
  const run = await store.get(id);
  if (run) return run;
  throw new ParleyError("unknown_run", `there is no run ${id}`);
}

/** A bug ends its run, not the server; the log has it. */
function asParleyError(error: unknown): ParleyError {
  if (error instanceof ParleyError) return error;
  return new ParleyError("expert_failed", "the run ended in an error of Parley's own", { cause: error });
}

type FleetRunsOptions = { store: Store; castOf: CastOf; fleet: Fleet };

/**
 * The runs of a server whose workers are elsewhere: they are stored here and played there. Only an answer of a person is
 * taken here; the run then goes on with a worker, so that nothing is held while somebody thinks.
 */
export function createFleetRuns(here: LiveRuns, { store, castOf, fleet }: FleetRunsOptions): LiveRuns {
  const closing = new AbortController();
  const elsewhere = fleet.elsewhere({ signal: closing.signal });
  const handOver = (id: string, given: Parameters<LiveRuns["resume"]>[1] = {}): Promise<FinishedRun> => {
    const done = elsewhere.play(id, { budget: given.budget });
    // Whoever waits for it hears of it; nobody has to.
    done.catch(() => undefined);
    return done;
  };
  return {
    ...here,
    async start(request) {
      const id = await prepareRun({ store, castOf, elsewhere }, request);
      return { id, done: handOver(id) };
    },
    resume(id, given) {
      if (!given?.castOf) return { done: handOver(id, given) };
      const { castOf: asked } = given;
      const split: CastOf = async (...cast) => stopWhenLeft(await asked(...cast), () => here.cancel(id));
      const { done } = here.resume(id, { ...given, castOf: split });
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
