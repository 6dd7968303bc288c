import { type Inbox, type InboxRow, readInboxRow } from "../inbox/inbox.ts";
import type { Database } from "./database.ts";

/** Who reviews what, shared by all servers of a store; claims last until a time on the database's clock. */
export const inboxTable = `
CREATE TABLE inbox (
  run text COLLATE "C" PRIMARY KEY,
  since timestamptz NOT NULL,
  reviewer text,
  until timestamptz,
  closed boolean NOT NULL DEFAULT false
);
`;

/** Times as they are everywhere else, so that they can be compared as texts. */
const iso = (time: string): string => `to_char(${time} AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;

/** The inbox of a shared store; the database's clock is the one that counts. */
export function createPostgresInbox({ run, persist }: Database): Inbox {
  return {
    async see(runs) {
      if (runs.length === 0) return new Map();
      await persist(() =>
        run(
          `INSERT INTO inbox (run, since) SELECT id, clock_timestamp() FROM unnest($1::text[]) AS id
            WHERE NOT EXISTS (SELECT 1 FROM inbox WHERE run = id) ON CONFLICT DO NOTHING`,
          [runs],
        ),
      );
      const rows = await persist(() =>
        run<InboxRow & { run: string; now: string }>(
          `SELECT run, ${iso("since")} AS since, reviewer, ${iso("until")} AS until, closed,
            ${iso("clock_timestamp()")} AS now FROM inbox WHERE run = ANY($1)`,
          [runs],
        ),
      );
      return new Map(rows.map((row) => [row.run, readInboxRow(row, row.now)]));
    },
    async claim(id, { reviewer, leaseMs }) {
      const [row] = await persist(() =>
        run<{ until: string }>(
          `INSERT INTO inbox AS old (run, since, reviewer, until)
            VALUES ($1, clock_timestamp(), $2, clock_timestamp() + make_interval(secs => $3::double precision / 1000))
            ON CONFLICT (run) DO UPDATE SET reviewer = excluded.reviewer, until = excluded.until
              WHERE old.reviewer IS NULL OR old.reviewer = excluded.reviewer OR old.until <= clock_timestamp()
            RETURNING ${iso("until")} AS until`,
          [id, reviewer, leaseMs],
        ),
      );
      return row ? { reviewer, until: row.until } : null;
    },
    async release(id, reviewer) {
      const given = await persist(() =>
        run("UPDATE inbox SET reviewer = NULL, until = NULL WHERE run = $1 AND reviewer = $2 RETURNING run", [
          id,
          reviewer,
        ]),
      );
      return given.length === 1;
    },
    async settle(id, closed) {
      const sql = closed
        ? "UPDATE inbox SET closed = true, reviewer = NULL, until = NULL WHERE run = $1"
        : "DELETE FROM inbox WHERE run = $1";
      await persist(() => run(sql, [id]));
    },
  };
}
