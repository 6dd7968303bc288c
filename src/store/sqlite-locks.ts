import { randomUUID } from "node:crypto";
import type { DatabaseSync } from "node:sqlite";
import { ParleyError } from "../contract/error.ts";
import type { GroupCommit } from "./group-commit.ts";
import { type Holder, isAlive, thisProcess } from "./process-life.ts";
import type { Store } from "./store.ts";

/** Locks of runs as rows of the store; the row of a process that is gone does not count. */
export function runLocks(database: DatabaseSync, commits: GroupCommit): { take: Store["lock"] } {
  const selectLock = database.prepare("SELECT pid, started, host FROM locks WHERE run_id = ?");
  const insertLock = database.prepare(
    "INSERT OR REPLACE INTO locks (run_id, pid, started, host, token) VALUES (?, ?, ?, ?, ?)",
  );
  const deleteLock = database.prepare("DELETE FROM locks WHERE run_id = ? AND token = ?");
  const { pid, started, host } = thisProcess();
  return {
    async take(id) {
      const token = randomUUID();
      await commits.add(id, () => {
        const held = selectLock.get(id) as Holder | undefined;
        if (held && isAlive(held)) throw isHeld(id, held);
        insertLock.run(id, pid, started, host, token);
      });
      return () => commits.add(id, () => void deleteLock.run(id, token));
    },
  };
}

function isHeld(id: string, { pid, host }: Holder): ParleyError {
  return new ParleyError(
    "run_locked",
    `run ${id} is being run by process ${pid} on ${host}; wait for it, or stop it first`,
  );
}
