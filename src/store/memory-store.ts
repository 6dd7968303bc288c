import { ParleyError } from "../contract/error.ts";
import type { JournalEntry } from "../contract/journal.ts";
import type { Run } from "../contract/run.ts";
import { genesis, memoryJournal } from "../engine/journal.ts";
import type { Piece } from "../engine/prompt-pieces.ts";
import type { RunFilter, Store } from "./store.ts";

/** A store that lives as long as the process: the library's default. */
export function memoryStore(): Store {
  const runs = new Map<string, Run>();
  const entries = new Map<string, JournalEntry[]>();
  const pieces = new Map<string, Piece>();
  const locked = new Set<string>();
  const require = (id: string): Run => {
    const run = runs.get(id);
    if (!run) throw new ParleyError("unknown_run", `no run ${id} in this process`);
    return run;
  };
  return {
    location: "memory",
    create: async (run) => {
      if (runs.has(run.id)) throw new ParleyError("store_failed", `run ${run.id} exists already`);
      runs.set(run.id, { ...run, headHash: genesis, entryCount: 0 });
      entries.set(run.id, []);
    },
    get: async (id) => {
      const run = runs.get(id);
      return run ? { ...run } : null;
    },
    list: async (filter = {}) =>
      [...runs.values()]
        .filter((run) => matches(run, filter))
        .toReversed()
        .slice(0, filter.limit),
    ids: async (prefix = "") => [...runs.keys()].filter((id) => id.startsWith(prefix)),
    problems: async () => [],
    setStatus: async (id, status, outcome) => {
      Object.assign(require(id), { status, outcome });
    },
    journal: async (id) => {
      const run = require(id);
      const journal = memoryJournal(entries.get(id) ?? [], pieces);
      return {
        ...journal,
        append: async (entry, text, fresh) => {
          await journal.append(entry, text, fresh);
          run.headHash = entry.hash;
          run.entryCount = entry.seq + 1;
          if (entry.body.kind === "end")
            Object.assign(run, { status: "finished", outcome: entry.body.result.outcome } satisfies Partial<Run>);
        },
      };
    },
    lock: async (id) => {
      require(id);
      if (locked.has(id)) throw new ParleyError("run_locked", `run ${id} is being run by this process already`);
      locked.add(id);
      return async () => void locked.delete(id);
    },
    close: async () => {},
  };
}

function matches(run: Run, filter: RunFilter): boolean {
  return (
    (filter.pack === undefined || run.manifest.pack === filter.pack) &&
    (filter.batch === undefined || run.batch === filter.batch) &&
    (filter.key === undefined || run.key === filter.key) &&
    (filter.status === undefined || run.status === filter.status) &&
    (filter.idPrefix === undefined || run.id.startsWith(filter.idPrefix))
  );
}
