import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../contract/error.ts";
import type { GroupCommit } from "./group-commit.ts";
import { type Holder, isAlive, describeThisProcess } from "./process-life.ts";
import type { Store } from "./store.ts";

/** Locks of runs as rows of the store; the row of a process that is gone does not count. */
export function runLocks(database: DatabaseSync, commits: GroupCommit): { take: Store["lock"] } {
  const selectLock = database.prepare("SELECT pid, started, host, token FROM locks WHERE run_id = ?");
  const insertLock = database.prepare(
    "INSERT OR REPLACE INTO locks (run_id, pid, started, host, token) VALUES (?, ?, ?, ?, ?)",
  );
  const deleteLock = database.prepare("DELETE FROM locks WHERE run_id = ? AND token = ?");
  const { pid, started, host } = describeThisProcess();
  /** Locks that were given back but whose rows could not be removed yet. */
  const returned = new Set<string>();
  const isOurs = (held: Holder): boolean => held.pid === pid && held.started === started && held.host === host;
  return {
    async take(id) {
      const token = randomUUID();
      await commits.add(id, () => {
        const held = selectLock.get(id) as (Holder & { token: string }) | undefined;
        if (held && isAlive(held) && !(isOurs(held) && returned.has(held.token))) throw isHeld(id, held);
        insertLock.run(id, pid, started, host, token);
      });
      return () => {
        returned.add(token);
        return commits.add(id, () => void deleteLock.run(id, token)).then(() => void returned.delete(token));
      };
    },
  };
}

function isHeld(id: string, { pid, host }: Holder): ParleyError {
  return new ParleyError(
    "run_locked",
    `run ${id} is being run by process ${pid} on ${host}; wait for it, or stop it first`,
  );
}
