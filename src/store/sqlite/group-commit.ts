import { createPatience, type Patience, retryMs } from "../patience.ts";

/** A write that waits for its transaction. */
type Pending = { run: string; work(): void; done(): void; failed(error: unknown): void };

/** Told at the moment when a write is durable, or has failed, before anything can be added after it. */
export type CommitHooks = { onDone?(): void; onFailed?(error: unknown): void };

/** Collects the writes of a moment and commits them together. */
export type GroupCommit = {
  /** Resolves when the write is durable; writes of a run are made in order. */
  add(run: string, work: () => void, hooks?: CommitHooks): Promise<void>;
  /** Commits what is waiting at once; what cannot be committed fails. */
  flush(): void;
};

/** A call waits for its entry, so a busy event loop must not hold a commit back for longer than this. */
const patienceMs = 2;

/**
 * Debates that run side by side write at the same moments, and a transaction costs more than what is in it: so they share
 * one, at the end of the event loop's turn at the latest. When it fails, each run's writes are tried by themselves, so that
 * one run's trouble does not become another's; trouble that may pass is waited for, and everything else waits too.
 */
export function groupCommit(inTransaction: (work: () => void) => void, patience: Patience = noPatience): GroupCommit {
  let pending: Pending[] = [];
  let flushedMs = 0;
  let retry: NodeJS.Timeout | null = null;

  const commit = (writes: Pending[]): unknown => {
    try {
      inTransaction(() => {
        for (const write of writes) write.work();
      });
    } catch (error) {
      return error;
    }
    patience.succeeded();
    for (const write of writes) write.done();
    return null;
  };

  const tryLater = (writes: Pending[]): void => {
    pending.push(...writes);
    retry ??= setTimeout(() => {
      retry = null;
      tryAll(true);
    }, retryMs);
  };

  const tryAll = (mayWait: boolean): void => {
    const writes = pending;
    pending = [];
    if (writes.length === 0) return;
    flushedMs = performance.now();
    const error = commit(writes);
    if (error === null) return;
    const isToWait = (cause: unknown): boolean => mayWait && patience.isWorthWaiting(cause);
    if (isToWait(error)) return tryLater(writes);
    const runs = [...Map.groupBy(writes, (write) => write.run).values()];
    for (const own of runs) {
      const cause = runs.length === 1 || retry !== null ? error : commit(own);
      if (retry !== null || (runs.length > 1 && isToWait(cause))) tryLater(own);
      else if (cause !== null) for (const write of own) write.failed(cause);
    }
  };
  const tryNow = (): void => {
    if (retry === null) tryAll(true);
  };

  return {
    add: (run, work, { onDone, onFailed } = {}) =>
      new Promise((resolve, reject) => {
        const done = (): void => {
          onDone?.();
          resolve();
        };
        const failed = (error: unknown): void => {
          onFailed?.(error);
          reject(error);
        };
        pending.push({ run, work, done, failed });
        if (retry !== null) return;
        if (pending.length === 1) setImmediate(tryNow);
        if (performance.now() - flushedMs >= patienceMs) process.nextTick(tryNow);
      }),
    flush() {
      if (retry !== null) clearTimeout(retry);
      retry = null;
      tryAll(false);
    },
  };
}

const noPatience = createPatience({ waitMs: 0 });
