import { dirname } from "node:path";
import { DatabaseSync } from "../node-parts.ts";
import { makeFolder } from "../make-folder.ts";
import { attempt } from "../sqlite/sqlite-database.ts";

/** A session as it is kept: never what opens it, only a hash of that. */
export type KeptSession = { role: string; endsMs: number };

/** The sessions of a server, kept over its restarts. */
export type SessionBook = {
  find(hash: string): KeptSession | null;
  keep(hash: string, session: KeptSession): void;
  /** Forgets what has ended, and the oldest beyond so many. */
  clear(nowMs: number, most: number): void;
  close(): void;
};

const table = `
PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS sessions (hash TEXT PRIMARY KEY, role TEXT NOT NULL, ends_ms INTEGER NOT NULL) STRICT, WITHOUT ROWID;
`;

/** Opens the sessions in the desk's file (`:memory:` for some that are forgotten). */
export function sqliteSessions(file: string): SessionBook {
  const guard = <T>(work: () => T): T => attempt(file, work);
  const database = guard(() => {
    if (file !== ":memory:") makeFolder(dirname(file));
    return new DatabaseSync(file, { timeout: 5_000 });
  });
  guard(() => database.exec(table));
  const find = database.prepare("SELECT role, ends_ms AS endsMs FROM sessions WHERE hash = ?");
  const keep = database.prepare("INSERT OR REPLACE INTO sessions (hash, role, ends_ms) VALUES (?, ?, ?)");
  const clear = database.prepare(
    "DELETE FROM sessions WHERE ends_ms <= ? OR hash NOT IN (SELECT hash FROM sessions ORDER BY ends_ms DESC LIMIT ?)",
  );
  return {
    find: (hash) => (guard(() => find.get(hash)) as KeptSession | undefined) ?? null,
    keep: (hash, { role, endsMs }) => void guard(() => keep.run(hash, role, endsMs)),
    clear: (nowMs, most) => void guard(() => clear.run(nowMs, most)),
    close: () => guard(() => database.close()),
  };
}
