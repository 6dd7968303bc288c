import { randomInt } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../../contract/error.ts";
import type { GroupCommit } from "./group-commit.ts";
import {
  createLockedError,
  createLostLeaseError,
  type HeldRun,
  judgeLease,
  type Lease,
  leaseMs,
  type LeaseState,
  renewMs,
} from "../lease.ts";
import { describeThisProcess, type Holder } from "../process-life.ts";
import type { Store } from "../store.ts";

/** Who a store's leases belong to, and what time it is. */
export type LeaseOptions = { self?: Holder; nowMs?(): number };

/** The leases of a store: each run's row says who has it, and one row a store says until when its leases last. */
export type Leases = {
  take: Store["lock"];
  list(): HeldRun[];
  /** True, once, for a lease on a run that had no entries when it was taken: nobody but its holder can add any. */
  isStart(lease: Lease): boolean;
  /** Told that a run was given back with its last entry. */
  ended(run: string, epoch: number): void;
  /** Lets go of everything. */
  close(): void;
};

type HolderRow = Holder & { until: number };
type HeldRow = { run: string; epoch: number; holder: number | null } & (HolderRow | { pid: null });

const columns = `SELECT run_id AS run, epoch, holder, pid, started, host, place, until
  FROM progress LEFT JOIN holders ON holders.id = progress.holder`;

/** A holder that has not been heard of for this long, by a clock that may be wrong, is forgotten if it holds no run. */
const forgetMs = 86_400_000;

export function createLeases(database: DatabaseSync, commits: GroupCommit, options: LeaseOptions = {}): Leases {
  const { self = describeThisProcess(), nowMs = Date.now } = options;
  const sql = prepareLeases(database);
  const own = randomInt(2 ** 47);
  /** The runs that this store holds, and whether its own row is stored. */
  const held = new Map<string, number>();
  const starts = new WeakSet<Lease>();
  let isKnown = false;
  let timer: NodeJS.Timeout | null = null;

  const putSelf = (): void => {
    sql.put.run(own, self.pid, self.started, self.host, self.place, nowMs() + leaseMs);
  };
  const stopRenewing = (): void => {
    if (timer) clearInterval(timer);
    timer = null;
  };
  // One that fails is made good by the next; when none succeeds the leases run out, and the journals say so.
  const renew = (): void => void commits.add("", putSelf).catch(() => undefined);

  const judge = (holder: Holder, untilMs: number): LeaseState => judgeLease({ holder, untilMs }, self, nowMs());

  /** Throws when somebody has the run; what this store gave back counts as free, also when that could not be written. */
  const requireFree = (row: HeldRow): void => {
    if (row.holder === null || row.pid === null) return;
    const isHeld = row.holder === own ? held.has(row.run) : judge(row, row.until) === "held";
    if (isHeld) throw createLockedError(row.run, row, row.until - nowMs());
  };

  /** Takes a run that somebody had, in its transaction. */
  const takeFrom = (id: string, takeOver: boolean): number => {
    const row = sql.select.get(id) as HeldRow | undefined;
    if (!row) throw new ParleyError("unknown_run", `no run ${id} in this store`);
    if (!takeOver) requireFree(row);
    sql.take.run(row.epoch + 1, own, id);
    return row.epoch + 1;
  };

  /** Counts a run as given back; false when it was already, or is held anew. */
  const letGo = (id: string, epoch: number): boolean => {
    const isHeld = held.get(id) === epoch && held.delete(id);
    if (held.size === 0) stopRenewing();
    return isHeld;
  };

  return {
    async take(id, { takeOver = false, isNew = false } = {}) {
      let epoch = 1;
      let isEmpty = isNew;
      const taken = commits.add(
        id,
        () => {
          if (!isKnown) {
            sql.forget.run(nowMs() - forgetMs);
            putSelf();
          }
          const free = sql.takeFree.get(own, id) as { epoch: number; entries: number } | undefined;
          const given = free?.epoch ?? takeFrom(id, takeOver);
          if (isNew && given !== epoch) throw createLostLeaseError(id);
          epoch = given;
          isEmpty = free?.entries === 0;
        },
        { onDone: () => (isKnown = true) },
      );
      // Whoever stores the run hears of a failure: it is not stored then either.
      if (isNew) taken.catch(() => letGo(id, epoch));
      else await taken;
      held.set(id, epoch);
      timer ??= setInterval(renew, renewMs).unref();
      const lease: Lease = {
        epoch,
        async release() {
          if (letGo(id, epoch)) await commits.add(id, () => void sql.release.run(id, epoch));
        },
      };
      if (isEmpty) starts.add(lease);
      return lease;
    },
    list: () =>
      (sql.list.all() as HeldRow[]).flatMap((row) => {
        if (row.pid === null) return [];
        const { run, epoch, until, ...rest } = row;
        const { pid, started, host, place } = rest;
        const holder = { pid, started, host, place };
        return [{ run, epoch, holder, state: judge(holder, until), leftMs: until - nowMs() }];
      }),
    isStart: (lease) => starts.delete(lease),
    ended: (run, epoch) => void letGo(run, epoch),
    close() {
      stopRenewing();
      if (isKnown) void commits.add("", () => void sql.drop.run(own)).catch(() => undefined);
    },
  };
}

function prepareLeases(database: DatabaseSync) {
  return {
    select: database.prepare(`${columns} WHERE run_id = ?`),
    list: database.prepare(`${columns} WHERE holder IS NOT NULL ORDER BY run_id`),
    put: database.prepare(
      `INSERT INTO holders (id, pid, started, host, place, until) VALUES (?, ?, ?, ?, ?, ?)
        ON CONFLICT (id) DO UPDATE SET until = excluded.until`,
    ),
    forget: database.prepare(
      "DELETE FROM holders WHERE until < ? AND NOT EXISTS (SELECT 1 FROM progress WHERE holder = holders.id)",
    ),
    drop: database.prepare("DELETE FROM holders WHERE id = ?"),
    take: database.prepare("UPDATE progress SET epoch = ?, holder = ? WHERE run_id = ?"),
    takeFree: database.prepare(
      "UPDATE progress SET epoch = epoch + 1, holder = ? WHERE run_id = ? AND holder IS NULL RETURNING epoch, entry_count AS entries",
    ),
    release: database.prepare("UPDATE progress SET holder = NULL WHERE run_id = ? AND epoch = ?"),
  };
}
