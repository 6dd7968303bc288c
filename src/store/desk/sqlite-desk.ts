import { DatabaseSync } from "../node-parts.ts";
import { makePrivateFile } from "../make-folder.ts";
import { attempt, createTransactions } from "../sqlite/sqlite-database.ts";
import type { Desk } from "./desk.ts";

const tables = `
PRAGMA page_size = 1024; PRAGMA journal_mode = WAL; PRAGMA synchronous = NORMAL;
CREATE TABLE IF NOT EXISTS served (run TEXT PRIMARY KEY, tries INTEGER NOT NULL) STRICT, WITHOUT ROWID;
CREATE TABLE IF NOT EXISTS spent (day TEXT PRIMARY KEY, usd REAL NOT NULL) STRICT, WITHOUT ROWID;
`;

/** How long what has ended waits for company before it is forgotten. */
const collectMs = 100;

/** Opens the desk in one SQLite file (`:memory:` for one that is forgotten), making it if it is not there. */
export function sqliteDesk(file: string): Desk {
  const guard = <T>(work: () => T): T => attempt(file, work);
  const database = guard(() => {
    if (file !== ":memory:") makePrivateFile(file);
    return new DatabaseSync(file, { timeout: 5_000 });
  });
  guard(() => database.exec(tables));
  const inTransaction = createTransactions(database);
  const sql = {
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
  const ended = new Set<string>();
  let timer: NodeJS.Timeout | null = null;
  const forgetEnded = (): void => {
    for (const run of ended) sql.unserve.run(run);
    ended.clear();
  };
  const commit = (work: () => void): void =>
    guard(() =>
      inTransaction(() => {
        forgetEnded();
        work();
      }),
    );
  return {
    serve: (run) => commit(() => sql.serve.run(run)),
    served() {
      commit(() => undefined);
      return guard(() => sql.served.all()) as { run: string; tries: number }[];
    },
    unserve(run) {
      ended.add(run);
      timer ??= setTimeout(() => {
        timer = null;
        if (ended.size > 0) commit(() => undefined);
      }, collectMs).unref();
    },
    spentOn: (day) => Number(guard(() => sql.spent.get(day))?.usd ?? 0),
    spend: (day, usd) => void guard(() => sql.spend.run(day, usd)),
    close() {
      if (timer) clearTimeout(timer);
      commit(() => undefined);
      guard(() => database.close());
    },
  };
}
