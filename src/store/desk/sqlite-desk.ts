import { DatabaseSync } from "../node-parts.ts";
import { makePrivateFile } from "../make-folder.ts";
import { attempt } from "../sqlite/sqlite-database.ts";
import type { Desk, InboxEntry } from "./desk.ts";

const tables = `
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS inbox (
  run TEXT PRIMARY KEY,
  since TEXT NOT NULL,
  reviewer TEXT,
  until TEXT,
  closed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS served (run TEXT PRIMARY KEY, tries INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (day TEXT PRIMARY KEY, usd REAL NOT NULL) STRICT, WITHOUT ROWID;
`;

type InboxRow = { since: string; reviewer: string | null; until: string | null; closed: number };

/** Opens the desk in one SQLite file (`:memory:` for one that is forgotten), making it if it is not there. */
export function sqliteDesk(file: string): Desk {
  const guard = <T>(work: () => T): T => attempt(file, work);
  const database = guard(() => {
    if (file !== ":memory:") makePrivateFile(file);
    return new DatabaseSync(file, { timeout: 5_000 });
  });
  guard(() => database.exec(tables));
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
    serve: database.prepare(
      "INSERT INTO served (run, tries) VALUES (?, 1) ON CONFLICT (run) DO UPDATE SET tries = tries + 1",
    ),
    served: database.prepare("SELECT run, tries FROM served ORDER BY run"),
    unserve: database.prepare("DELETE FROM served WHERE run = ?"),
    spent: database.prepare("SELECT usd FROM spent WHERE day = ?"),
    spend: database.prepare(
      "INSERT INTO spent (day, usd) VALUES (?, ?) ON CONFLICT (day) DO UPDATE SET usd = excluded.usd",
    ),
  };
  return {
    see(run, now) {
      guard(() => sql.see.run(run, now));
      return entryOf(guard(() => sql.read.get(run)) as InboxRow, now);
    },
    claim: (run, { reviewer, until }, now) => guard(() => sql.claim.run(run, now, reviewer, until)).changes === 1,
    release: (run, reviewer) => guard(() => sql.release.run(run, reviewer)).changes === 1,
    settle: (run, closed) => void guard(() => (closed ? sql.close : sql.forget).run(run)),
    serve: (run) => void guard(() => sql.serve.run(run)),
    served: () => guard(() => sql.served.all()) as { run: string; tries: number }[],
    unserve: (run) => void guard(() => sql.unserve.run(run)),
    spentOn: (day) => Number(guard(() => sql.spent.get(day))?.usd ?? 0),
    spend: (day, usd) => void guard(() => sql.spend.run(day, usd)),
    close: () => guard(() => database.close()),
  };
}

/** A claim whose time is over has returned. */
function entryOf({ since, reviewer, until, closed }: InboxRow, now: string): InboxEntry {
  const isHeld = reviewer !== null && until !== null && until > now;
  return { since, claim: isHeld ? { reviewer, until } : null, closed: closed === 1 };
}
