import { randomInt } from "node:crypto";
import { ParleyError } from "../contract/error.ts";
import { type Connection, rawSql, type Sql, sql } from "./database.ts";
import type { GroupCommit } from "./group-commit.ts";
import { createLockedError, type HeldRun, type Holder, judgeLease, type Lease } from "./lease.ts";
import { type LeaseRow, parseStored } from "./tables.ts";

type Refused = { row: LeaseRow; holder: Holder; leftMs: number };

/** The leases of a store: each run's row says who has it; signs of life are given for all of them at once. */
export class Leases {
  readonly #commits: GroupCommit;
  readonly #self: Holder;
  /** This store among those that hold runs. */
  readonly #own = randomInt(2 ** 47);
  /** The runs that this store holds. */
  readonly #held = new Map<string, number>();
  #timer: NodeJS.Timeout | null = null;

  constructor(commits: GroupCommit, self: Holder) {
    this.#commits = commits;
    this.#self = self;
  }

  async take(id: string, takeOver: boolean): Promise<Lease> {
    const taken = await this.#commits.add(id, (tx) => this.#tryToTake(tx, id, takeOver));
    if (typeof taken !== "number") throw createLockedError(id, taken.holder, taken.leftMs);
    this.#held.set(id, taken);
    this.#timer ??= setInterval(() => this.#renew(), this.#commits.database.leaseMs / 3).unref();
    return { epoch: taken, release: () => this.#release(id, taken) };
  }

  async list(): Promise<HeldRun[]> {
    const rows = await this.#commits.read<LeaseRow>(sql`${this.#selectLeases()} WHERE holder IS NOT NULL ORDER BY run`);
    return rows.map((row) => {
      const holder = readHolder(row);
      const { state, leftMs } = this.#judge(row, holder);
      return { run: row.run, epoch: row.epoch, holder, state, leftMs };
    });
  }

  /** Counts a run as given back; false when it was already, or is held anew. */
  forget(id: string, epoch: number): boolean {
    const isHeld = this.#held.get(id) === epoch && this.#held.delete(id);
    if (this.#held.size === 0) this.#stopRenewing();
    return isHeld;
  }

  /** Lets go of everything. */
  async close(): Promise<void> {
    this.#stopRenewing();
    if (this.#held.size === 0) return;
    await this.#commits
      .add("", (tx) => tx.run(sql`UPDATE lease SET holder = NULL WHERE holder = ${this.#own}`))
      .catch(() => undefined);
  }

  async #release(id: string, epoch: number): Promise<void> {
    if (!this.forget(id, epoch)) return;
    const release = sql`UPDATE lease SET holder = NULL WHERE run = ${id} AND epoch = ${epoch}`;
    await this.#commits.add(id, (tx) => tx.run(release));
  }

  /** Takes a run and gives its epoch, or says who has it; somebody else may be quicker between looking and taking. */
  async #tryToTake(tx: Connection, id: string, takeOver: boolean): Promise<number | Refused> {
    for (;;) {
      const [row] = await tx.all<LeaseRow>(sql`${this.#selectLeases()} WHERE run = ${id}`);
      if (!row) throw new ParleyError("unknown_run", `no run ${id} in ${this.#commits.database.location}`);
      const refused = takeOver ? null : this.#refuse(row);
      const isSeen = sql`run = ${id} AND epoch = ${row.epoch} AND coalesce(holder, 0) = ${row.holder ?? 0} AND coalesce(free_at, 0) = ${row.free_at ?? 0}`;
      if (refused) {
        if (!refused.isMeasured) await tx.run(sql`UPDATE lease SET free_at = ${this.#later(false)} WHERE ${isSeen}`);
        return { row, ...refused };
      }
      const taken = await tx.run(
        sql`UPDATE lease SET epoch = epoch + 1, holder = ${this.#own}, process = ${JSON.stringify(this.#self)},
          free_at = ${this.#later(true)} WHERE ${isSeen}`,
      );
      if (taken === 1) return row.epoch + 1;
    }
  }

  /** Who keeps the run from being taken; what this store gave back counts as free, also when that could not be written. */
  #refuse(row: LeaseRow): { holder: Holder; leftMs: number; isMeasured: boolean } | null {
    if (row.holder === null) return null;
    const holder = readHolder(row);
    const { state, leftMs, isMeasured } = this.#judge(row, holder);
    const isHeld = row.holder === this.#own ? this.#held.has(row.run) : state === "held";
    return isHeld ? { holder, leftMs, isMeasured } : null;
  }

  #judge(row: LeaseRow, holder: Holder) {
    const { leaseMs, hasClock } = this.#commits.database;
    return judgeLease({ holder, freeAtMs: row.free_at }, this.#self, { nowMs: row.now, lastsMs: leaseMs, hasClock });
  }

  /** When a run is free; a holder says so only on a clock that everybody goes by, else whoever wants the run measures it. */
  #later(isHolder: boolean): Sql {
    const { database } = this.#commits;
    return isHolder && !database.hasClock ? rawSql("NULL") : sql`${database.now()} + ${database.leaseMs}`;
  }

  #selectLeases(): Sql {
    return sql`SELECT run, epoch, holder, process, free_at, ${this.#commits.database.now()} AS now FROM lease`;
  }

  /** One that fails is made good by the next; when none succeeds the leases run out, and the journals say so. */
  #renew(): void {
    const renewed = (tx: Connection): Promise<number> =>
      tx.run(sql`UPDATE lease SET free_at = ${this.#later(true)} WHERE holder = ${this.#own}`);
    this.#commits.add("", renewed).catch(() => undefined);
  }

  #stopRenewing(): void {
    if (this.#timer) clearInterval(this.#timer);
    this.#timer = null;
  }
}

function readHolder({ run, process }: LeaseRow): Holder {
  return parseStored(process ?? "", `the holder of run ${run}`) as Holder;
}
