import { DatabaseSync } from "../node-parts.ts";
import { makePrivateFile } from "../make-folder.ts";
import { attempt } from "./sqlite-database.ts";
import { endOfLease, type Inbox, readInboxRow } from "../inbox/inbox.ts";

const table = `
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS inbox (
  run TEXT PRIMARY KEY,
  since TEXT NOT NULL,
  reviewer TEXT,
  until TEXT,
  closed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
`;

type Row = { since: string; reviewer: string | null; until: string | null; closed: number };

/** The inbox in a file beside a store; the file is opened, or made, when somebody first looks. */
export function sqliteInbox(file: string): Inbox & { close(): void } {
  let opened: (Inbox & { close(): void }) | null = null;
  const open = (): Inbox => (opened ??= openFile(file));
  return {
    see: async (runs, now) => (runs.length === 0 ? new Map() : open().see(runs, now)),
    claim: async (run, by, now) => open().claim(run, by, now),
    release: async (run, reviewer) => open().release(run, reviewer),
    settle: async (run, closed) => open().settle(run, closed),
    close: () => opened?.close(),
  };
}

function openFile(file: string): Inbox & { close(): void } {
  const guard = <T>(work: () => T): T => attempt(file, work);
  const database = guard(() => {
    makePrivateFile(file);
    return new DatabaseSync(file, { timeout: 5_000 });
  });
  guard(() => database.exec(table));
  const sql = {
    see: database.prepare("INSERT OR IGNORE INTO inbox (run, since) VALUES (?, ?)"),
    read: database.prepare("SELECT since, reviewer, until, closed FROM inbox WHERE run = ?"),
    claim: database.prepare(
      `INSERT INTO inbox (run, since, reviewer, until) VALUES (?, ?, ?, ?) ON CONFLICT (run) DO UPDATE
        SET reviewer = excluded.reviewer, until = excluded.until
        WHERE reviewer IS NULL OR reviewer = excluded.reviewer OR until <= excluded.since`,
    ),
    release: database.prepare("UPDATE inbox SET reviewer = NULL, until = NULL WHERE run = ? AND reviewer = ?"),
    close: database.prepare("UPDATE inbox SET closed = 1, reviewer = NULL, until = NULL WHERE run = ?"),
    forget: database.prepare("DELETE FROM inbox WHERE run = ?"),
  };
  const read = (run: string): Row | undefined => guard(() => sql.read.get(run)) as Row | undefined;
  const see = (run: string, now: string): Row => {
    const row = read(run);
    if (row) return row;
    guard(() => sql.see.run(run, now));
    return read(run) as Row;
  };
  return {
    see: async (runs, now) =>
      new Map(
        runs.map((run) => {
          const row = see(run, now);
          return [run, readInboxRow({ ...row, closed: row.closed === 1 }, now)];
        }),
      ),
    async claim(run, { reviewer, leaseMs }, now) {
      const until = endOfLease(now, leaseMs);
      return guard(() => sql.claim.run(run, now, reviewer, until)).changes === 1 ? { reviewer, until } : null;
    },
    release: async (run, reviewer) => guard(() => sql.release.run(run, reviewer)).changes === 1,
    settle: async (run, closed) => void guard(() => (closed ? sql.close : sql.forget).run(run)),
    close: () => guard(() => database.close()),
  };
}
