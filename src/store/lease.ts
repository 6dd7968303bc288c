import { readFileSync, readlinkSync } from "node:fs";
import { hostname } from "node:os";
import { ParleyError } from "../contract/error.ts";
import { randomInt } from "node:crypto";
import {
  type Connection,
  type Database,
  type GroupCommit,
  inStretches,
  listOf,
  rawSql,
  type Sql,
  sql,
} from "./database.ts";
import { type LeaseRow, parseStored } from "./tables.ts";

/**
 * A hold on a run, for as long as its holder shows signs of life. Each lease has a higher epoch than the last, and
 * writes with an older epoch are refused.
 */
export type Lease = {
  readonly epoch: number;
  release(): Promise<void>;
};

export type HeldRun = { run: string; epoch: number; holder: Holder; state: LeaseState; leftMs: number };

type LeaseState = "held" | "run_out" | "gone";

export const leaseMs = 45_000;

/**
 * Judges a lease as seen by `self`. A holder on this machine is looked up directly. For others, whoever wants the run
 * measures the time: `free_at` is null after each sign of life and set by the first process that asks. A value
 * further ahead than a lease lasts came from a wrong clock and is ignored.
 */
export function judgeLease({ run, process, free_at: freeAtMs, now }: LeaseRow, self: Holder, database: Database) {
  const holder = parseStored(process ?? "", `the holder of run ${run}`) as Holder;
  const isMeasured = freeAtMs !== null && freeAtMs - now <= database.leaseMs;
  const leftMs = isMeasured ? freeAtMs - now : database.leaseMs;
  const life = lookForProcess(holder, self);
  const canRunOut = life === "unknown" || database.hasClock;
  const state: LeaseState = life === "gone" ? "gone" : canRunOut && leftMs <= 0 ? "run_out" : "held";
  return { holder, state, leftMs, isMeasured };
}

export function selectLeases(database: Database): Sql {
  return sql`SELECT run, epoch, holder, process, free_at, ${database.now()} AS now FROM lease`;
}

export function createLockedError(run: string, { pid, host }: Holder, leftMs: number): ParleyError {
  const seconds = Math.max(1, Math.ceil(leftMs / 1000));
  return new ParleyError(
    "run_locked",
    `run ${run} is being run by process ${pid} on ${host}; wait for it, or stop it first. If that process is gone, the run is free in ${seconds} s; \`parley resume ${run} --take-over\` takes it now`,
  );
}

/** The error for a run that was taken over, or written to by another process, since it was opened. */
export function createLostLeaseError(run: string): ParleyError {
  return new ParleyError(
    "lost_lease",
    `run ${run} was taken over by another process, which continues it; this process wrote nothing more`,
  );
}

/**
 * The holder of a lock. `started` tells a process from a later one with the same pid; `place` identifies the boot and
 * pid namespace in which the pid means anything.
 */
export type Holder = { pid: number; started: string; host: string; place: string };

let thisProcess: Holder | null = null;

export function describeThisProcess(): Holder {
  const { pid } = process;
  thisProcess ??= { pid, started: readStat(pid).started, host: hostname(), place: describePlace() };
  return thisProcess;
}

export function lookForProcess(holder: Holder, self: Holder = describeThisProcess()): "alive" | "gone" | "unknown" {
  if (holder.host !== self.host || holder.place !== self.place) return "unknown";
  if (holder.pid < 1 || holder.pid > 2 ** 31) return "gone";
  try {
    process.kill(holder.pid, 0);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ESRCH") return "gone";
  }
  const { state, started } = readStat(holder.pid);
  // A zombie, as in a container without an init, still has its pid.
  if (state === "Z" || state === "X") return "gone";
  const isAnother = started !== "" && holder.started !== "" && started !== holder.started;
  return isAnother ? "gone" : "alive";
}

/** Boot id and pid namespace; empty without /proc. */
function describePlace(): string {
  return [
    tryRead(() => readFileSync("/proc/sys/kernel/random/boot_id", "utf8").trim()),
    tryRead(() => readlinkSync("/proc/self/ns/pid")),
  ]
    .filter((part) => part !== "")
    .join(" ");
}

/** State and start time of a process; empty without /proc. */
function readStat(pid: number): { state: string; started: string } {
  const stat = tryRead(() => readFileSync(`/proc/${pid}/stat`, "utf8"));
  const fields = stat.slice(stat.lastIndexOf(")") + 2).split(" ");
  return { state: fields[0] ?? "", started: fields[19] ?? "" };
}

function tryRead(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

/** The leases of a store: one row per run, and one heartbeat for all of them. */
export class Leases {
  readonly #commits: GroupCommit;
  readonly #self: Holder;
  readonly #own = randomInt(2 ** 47);
  readonly #held = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(commits: GroupCommit, self: Holder) {
    this.#commits = commits;
    this.#self = self;
  }

  async take(id: string, takeOver: boolean): Promise<Lease> {
    const taken = await this.#commits.add(id, (tx) => this.#tryToTake(tx, id, takeOver));
    if (typeof taken !== "number") throw createLockedError(id, taken.holder, taken.leftMs);
    return this.#hold(id, taken);
  }

  /** The first lease of a run that is being stored. Only the caller knows the run, so the lease need not be durable yet. */
  grant(id: string): { lease: Lease; columns: Sql } {
    return {
      lease: this.#hold(id, 1),
      columns: sql`1, ${this.#own}, ${JSON.stringify(this.#self)}, ${this.#later(true)}`,
    };
  }

  async list(): Promise<HeldRun[]> {
    const { database } = this.#commits;
    const rows = await this.#commits.read<LeaseRow>(
      sql`${selectLeases(database)} WHERE holder IS NOT NULL ORDER BY run`,
    );
    return rows.map((row) => {
      const { isMeasured: _, ...judged } = judgeLease(row, this.#self, database);
      return { run: row.run, epoch: row.epoch, ...judged };
    });
  }

  forget(id: string, epoch: number): boolean {
    const isHeld = this.#held.get(id) === epoch && this.#held.delete(id);
    if (this.#held.size === 0) this.#stopRenewing();
    return isHeld;
  }

  async close(): Promise<void> {
    this.#stopRenewing();
    if (this.#held.size > 0)
      await this.#commits.add("", (tx) => this.#change(tx, rawSql("holder = NULL"))).catch(() => undefined);
  }

  #hold(id: string, epoch: number): Lease {
    this.#held.set(id, epoch);
    this.#timer ??= setInterval(() => this.#renew(), this.#commits.database.leaseMs / 3).unref();
    return { epoch, release: () => this.#release(id, epoch) };
  }

  async #release(id: string, epoch: number): Promise<void> {
    if (!this.forget(id, epoch)) return;
    const release = sql`UPDATE lease SET holder = NULL WHERE run = ${id} AND epoch = ${epoch}`;
    await this.#commits.addNew(id, (tx) => tx.run(release));
  }

  /** Takes a run and returns its epoch, or its holder; another process may be quicker in between. */
  async #tryToTake(
    tx: Connection,
    id: string,
    takeOver: boolean,
  ): Promise<number | { holder: Holder; leftMs: number }> {
    const { database } = this.#commits;
    for (;;) {
      const [row] = await tx.all<LeaseRow>(sql`${selectLeases(database)} WHERE run = ${id}`);
      if (!row) throw new ParleyError("unknown_run", `no run ${id} in ${database.location}`);
      const refused = takeOver ? null : this.#refuse(row);
      const isSeen = sql`run = ${id} AND epoch = ${row.epoch} AND coalesce(holder, 0) = ${row.holder ?? 0} AND coalesce(free_at, 0) = ${row.free_at ?? 0}`;
      if (refused) {
        if (!refused.isMeasured) await tx.run(sql`UPDATE lease SET free_at = ${this.#later(false)} WHERE ${isSeen}`);
        return refused;
      }
      const taken = await tx.run(
        sql`UPDATE lease SET epoch = epoch + 1, holder = ${this.#own}, process = ${JSON.stringify(this.#self)},
          free_at = ${this.#later(true)} WHERE ${isSeen}`,
      );
      if (taken === 1) return row.epoch + 1;
    }
  }

  /** The holder that keeps the run from being taken. Leases given back by this store count as free, even if that could not be written. */
  #refuse(row: LeaseRow) {
    if (row.holder === null) return null;
    const judged = judgeLease(row, this.#self, this.#commits.database);
    const isHeld = row.holder === this.#own ? this.#held.has(row.run) : judged.state === "held";
    return isHeld ? judged : null;
  }

  /** When the run becomes free. A holder may set this only on a shared clock; otherwise whoever wants the run measures it. */
  #later(isHolder: boolean): Sql {
    const { database } = this.#commits;
    return isHolder && !database.hasClock ? rawSql("NULL") : sql`${database.now()} + ${database.leaseMs}`;
  }

  #renew(): void {
    this.#commits.add("", (tx) => this.#change(tx, sql`free_at = ${this.#later(true)}`)).catch(() => undefined);
  }

  async #change(tx: Connection, to: Sql): Promise<void> {
    for (const some of inStretches([...this.#held.keys()]))
      await tx.run(sql`UPDATE lease SET ${to} WHERE holder = ${this.#own} AND run IN ${listOf(some)}`);
  }

  #stopRenewing(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}
