import { randomInt } from "node:crypto";
import { createLockedError, type HeldRun, judgeLease, type LeaseState } from "../lease.ts";
import { describeThisProcess, type Holder } from "../process-life.ts";
import type { Store } from "../store.ts";
import type { Database } from "./database.ts";
import type { Work, Writes } from "./postgres-writes.ts";

/** How long a holder without a sign of life keeps its runs in a shared store, and how often one that is alive gives it. */
export const sharedLeaseMs = 15_000;
const renewMs = 4_000;

export type LeaseOptions = { self?: Holder; leaseMs?: number };

/** The leases of a shared store; one row a store says until when, on the database's clock, all its leases last. */
export type Leases = { take: Store["lock"]; list(): Promise<HeldRun[]>; close(): Promise<void> };

type Taken = { epoch: number } | { seenEpoch: number; holder: number; facts: string; leftMs: number };
type HeldRow = { run: string; epoch: number; facts: string; left_ms: string };

export function createPostgresLeases(database: Database, writes: Writes, options: LeaseOptions = {}): Leases {
  const { self = describeThisProcess(), leaseMs = sharedLeaseMs } = options;
  const own = randomInt(2 ** 47);
  /** The runs that this store holds. */
  const held = new Map<string, number>();
  let renewal: NodeJS.Timeout | null = null;
  const hold: Work = { kind: "hold", holder: own, facts: JSON.stringify(self), leaseMs };
  // One that fails is made good by the next; when none succeeds the leases run out, and the journals say so.
  const renew = (): void => void writes.add("", hold).catch(() => undefined);
  /** Who is on this machine can be seen to be gone; the time of all others, and of one that hangs, is the database's. */
  const judge = (holder: Holder, leftMs: number): LeaseState =>
    leftMs <= 0 ? "run_out" : judgeLease({ holder, untilMs: leftMs }, self, 0);
  const stopRenewing = (): void => {
    if (renewal) clearInterval(renewal);
    renewal = null;
  };
  const take = async (id: string, takeOver: boolean): Promise<number> => {
    const work: Work = { kind: "take", holder: own, takeOver };
    for (;;) {
      const taken = (await writes.add(id, work)) as Taken;
      if ("epoch" in taken) return taken.epoch;
      const holder = JSON.parse(taken.facts) as Holder;
      const isLeft = taken.holder === own ? !held.has(id) : judge(holder, taken.leftMs) === "gone";
      if (!isLeft || work.seenEpoch === taken.seenEpoch) throw createLockedError(id, holder, taken.leftMs);
      work.seenEpoch = taken.seenEpoch;
    }
  };
  return {
    async take(id, { takeOver = false } = {}) {
      if (renewal === null) {
        renew();
        renewal = setInterval(renew, Math.min(renewMs, leaseMs / 3)).unref();
      }
      const epoch = await take(id, takeOver);
      held.set(id, epoch);
      return {
        epoch,
        async release() {
          if (held.get(id) === epoch) held.delete(id);
          if (held.size === 0) stopRenewing();
          await writes.add(id, { kind: "release", epoch });
        },
      };
    },
    async list() {
      const rows = await database.run<HeldRow>(
        `SELECT run_id AS run, epoch, facts, ceil(extract(epoch FROM until - clock_timestamp()) * 1000) AS left_ms
          FROM progress JOIN holders ON holders.id = progress.holder ORDER BY run_id`,
      );
      return rows.map(({ run, epoch, facts, left_ms: left }) => {
        const holder = JSON.parse(facts) as Holder;
        return { run, epoch, holder, state: judge(holder, Number(left)), leftMs: Number(left) };
      });
    },
    async close() {
      if (renewal === null && held.size === 0) return;
      stopRenewing();
      await writes.add("", { kind: "leave", holder: own }).catch(() => undefined);
    },
  };
}
