import { longestClaimMs } from "../contract/run.ts";
import type { WorstCase } from "../contract/budget.ts";
import {
  type Connection,
  type Database,
  type GroupCommit,
  inStretches,
  joinSql,
  listOf,
  rawSql,
  rowsOf,
  type Sql,
  sql,
} from "./database.ts";
import {
  type Claim,
  dayBudget,
  type Inbox,
  type InboxEntry,
  type Recovery,
  type Refusal,
  type Session,
  type Sessions,
  type Spending,
  type Store,
} from "./store.ts";

type InboxRow = {
  run: string;
  since: number;
  reviewer: string | null;
  until: number | null;
  closed: number;
  now: number;
};
type SpendRow = Record<"calls" | "tokens" | "nano_usd", number> &
  Record<"max_calls" | "max_tokens" | "max_nano_usd", number | null> & { name: string };

type Ledger = Pick<Store, "inbox" | "sessions" | "spending" | "getVectors" | "putVectors">;

export function createLedger(commits: GroupCommit): Ledger {
  return {
    inbox: createInbox(commits),
    sessions: createSessions(commits),
    spending: createSpending(commits),
    ...createVectors(commits),
  };
}

function createInbox(commits: GroupCommit): Inbox {
  const { database } = commits;
  return {
    async see(runs, now) {
      if (runs.length === 0) return new Map();
      const nowSql = database.now(Date.parse(now));
      const given = joinSql(
        runs.map((run) => sql`(${run}, ${nowSql})`),
        ", ",
      );
      const add = sql`INSERT INTO inbox (run, since) VALUES ${given} ON CONFLICT (run) DO NOTHING`;
      await commits.add("", (tx) => tx.run(add));
      const rows = await commits.read<InboxRow>(
        sql`SELECT run, since, reviewer, until, closed, ${nowSql} AS now FROM inbox WHERE run IN ${listOf(runs)}`,
      );
      return new Map(rows.map((row) => [row.run, readInboxRow(row)]));
    },
    async claim(run, { reviewer, leaseMs }, now) {
      const nowSql = database.now(Date.parse(now));
      const [row] = await commits.add("", (tx) =>
        tx.all<{ until: number }>(
          sql`INSERT INTO inbox (run, since, reviewer, until) VALUES (${run}, ${nowSql}, ${reviewer}, ${nowSql} + ${leaseMs})
            ON CONFLICT (run) DO UPDATE SET reviewer = excluded.reviewer, until = excluded.until
              WHERE inbox.reviewer IS NULL OR inbox.reviewer = excluded.reviewer
                OR inbox.until NOT BETWEEN ${nowSql} + 1 AND ${nowSql} + ${longestClaimMs}
            RETURNING until`,
        ),
      );
      return row ? ({ reviewer, until: isoOf(row.until) } satisfies Claim) : null;
    },
    async release(run, reviewer) {
      const free = sql`UPDATE inbox SET reviewer = NULL, until = NULL WHERE run = ${run} AND reviewer = ${reviewer}`;
      return (await commits.add("", (tx) => tx.run(free))) === 1;
    },
    async settle(run, closed) {
      const settle = closed
        ? sql`UPDATE inbox SET closed = 1, reviewer = NULL, until = NULL WHERE run = ${run}`
        : sql`DELETE FROM inbox WHERE run = ${run}`;
      await commits.add("", (tx) => tx.run(settle));
    },
  };
}

function readInboxRow({ since, reviewer, until, closed, now }: InboxRow): InboxEntry {
  const isHeld = reviewer !== null && until !== null && until > now && until <= now + longestClaimMs;
  const claim = isHeld ? { reviewer, until: isoOf(until) } : null;
  return { since: isoOf(since), claim, closed: closed === 1, now: isoOf(now) };
}

function isoOf(ms: number): string {
  return new Date(ms).toISOString();
}

export function createRecovery(commits: GroupCommit): Recovery {
  return {
    note: async (run) =>
      void (await commits.add(run, (tx) => tx.run(sql`UPDATE lease SET tries = tries + 1 WHERE run = ${run}`))),
    list: () => commits.read(sql`SELECT run, tries FROM lease WHERE tries > 0 ORDER BY run`),
    forget: async (run) =>
      void (await commits.add(run, (tx) => tx.run(sql`UPDATE lease SET tries = 0 WHERE run = ${run}`))),
  };
}

function createSessions(commits: GroupCommit): Sessions {
  return {
    async find(hash) {
      const query = sql`SELECT role, ends_ms AS "endsMs" FROM session WHERE hash = ${hash}`;
      return (await commits.read<Session>(query))[0] ?? null;
    },
    keep: (hash, { role, endsMs }, { nowMs, most }) =>
      commits.add("", async (tx) => {
        await tx.run(
          sql`INSERT INTO session (hash, role, ends_ms) VALUES (${hash}, ${role}, ${endsMs})
            ON CONFLICT (hash) DO UPDATE SET role = excluded.role, ends_ms = excluded.ends_ms`,
        );
        await tx.run(
          sql`DELETE FROM session WHERE ends_ms <= ${nowMs}
            OR hash NOT IN (SELECT hash FROM session ORDER BY ends_ms DESC LIMIT ${most})`,
        );
      }),
  };
}

const nano = 1e9;
const nanoOf = (usd: number | null | undefined): number | null =>
  usd === null || usd === undefined ? null : Math.ceil(usd * nano - 1e-6);

function createSpending(commits: GroupCommit): Spending {
  return {
    setLimits: (name, { calls, tokens, usd }, spent) =>
      commits.add("", async (tx) => {
        if (spent)
          await tx.run(
            sql`INSERT INTO spend (name, calls, tokens, nano_usd)
              VALUES (${name}, ${spent.calls}, ${spent.tokens}, ${nanoOf(spent.usd) ?? 0}) ON CONFLICT (name) DO NOTHING`,
          );
        await tx.run(
          sql`INSERT INTO spend (name, max_calls, max_tokens, max_nano_usd)
            VALUES (${name}, ${calls ?? null}, ${tokens ?? null}, ${nanoOf(usd)}) ON CONFLICT (name) DO UPDATE
            SET max_calls = excluded.max_calls, max_tokens = excluded.max_tokens, max_nano_usd = excluded.max_nano_usd`,
        );
      }),
    async limited(names) {
      if (names.length === 0) return [];
      const rows = await commits.read<{ name: string }>(sql`SELECT name FROM spend WHERE name IN ${listOf(names)}
          AND (max_calls IS NOT NULL OR max_tokens IS NOT NULL OR max_nano_usd IS NOT NULL) ORDER BY name`);
      return rows.map(({ name }) => name);
    },
    reserve: (names, worst) => commits.add("", (tx) => reserveSpend(commits.database, tx, names.toSorted(), worst)),
    settle: (charged, worst, spent) => commits.add("", (tx) => addSpend(tx, charged, subtract(spent, worst))),
  };
}

async function reserveSpend(
  database: Database,
  tx: Connection,
  names: readonly string[],
  worst: WorstCase,
): Promise<{ charged: string[] } | Refusal> {
  const charged: string[] = [];
  for (const given of names) {
    const name = given === dayBudget ? await openDay(database, tx) : given;
    const usd = nanoOf(worst.usd);
    // A sum with an unknown price passes no limit.
    const isWithin = (column: string, more: number | null): Sql =>
      sql`(${rawSql(`max_${column}`)} IS NULL OR ${rawSql(column)} + ${more} <= ${rawSql(`max_${column}`)})`;
    const changed = await tx.run(
      sql`UPDATE spend SET calls = calls + ${worst.calls}, tokens = tokens + ${worst.tokens}, nano_usd = nano_usd + ${usd ?? 0}
        WHERE name = ${name} AND ${isWithin("calls", worst.calls)} AND ${isWithin("tokens", worst.tokens)}
          AND ${isWithin("nano_usd", usd)}`,
    );
    if (changed === 1) charged.push(name);
    else {
      const [row] = await tx.all<SpendRow>(sql`SELECT * FROM spend WHERE name = ${name}`);
      if (!row) continue;
      await addSpend(tx, charged, subtract({ calls: 0, tokens: 0, usd: 0 }, worst));
      return describeRefusal(row, worst);
    }
  }
  return { charged };
}

async function openDay(database: Database, tx: Connection): Promise<string> {
  const [row] = await tx.all<{ now: number }>(sql`SELECT ${database.now()} AS now`);
  const name = `${dayBudget} ${isoOf(row?.now ?? 0).slice(0, 10)}`;
  await tx.run(
    sql`INSERT INTO spend (name, max_calls, max_tokens, max_nano_usd)
      SELECT ${name}, max_calls, max_tokens, max_nano_usd FROM spend WHERE name = ${dayBudget} ON CONFLICT (name) DO UPDATE
      SET max_calls = excluded.max_calls, max_tokens = excluded.max_tokens, max_nano_usd = excluded.max_nano_usd`,
  );
  return name;
}

function describeRefusal(row: SpendRow, worst: WorstCase): Refusal {
  const { name } = row;
  for (const limit of ["calls", "tokens"] as const) {
    const left = (row[`max_${limit}`] ?? Number.POSITIVE_INFINITY) - row[limit];
    if (worst[limit] > left) return { name, limit, needed: worst[limit], left };
  }
  return { name, limit: "usd", needed: worst.usd, left: ((row.max_nano_usd ?? 0) - row.nano_usd) / nano };
}

async function addSpend(tx: Connection, names: readonly string[], more: SpendChange): Promise<void> {
  if (names.length === 0) return;
  await tx.run(
    sql`UPDATE spend SET calls = calls + ${more.calls}, tokens = tokens + ${more.tokens}, nano_usd = nano_usd + ${more.nanoUsd}
      WHERE name IN ${listOf(names)}`,
  );
}

type SpendChange = { calls: number; tokens: number; nanoUsd: number };

function subtract(spent: WorstCase, worst: WorstCase): SpendChange {
  return {
    calls: spent.calls - worst.calls,
    tokens: spent.tokens - worst.tokens,
    nanoUsd: (nanoOf(spent.usd ?? worst.usd) ?? 0) - (nanoOf(worst.usd) ?? 0),
  };
}

function createVectors(commits: GroupCommit): Pick<Store, "getVectors" | "putVectors"> {
  return {
    async getVectors(model, hashes) {
      const found = new Map<string, Float32Array>();
      for (const some of inStretches(hashes, 500)) {
        const rows = await commits.read<{ hash: string; data: Uint8Array }>(
          sql`SELECT hash, data FROM vector WHERE model = ${model} AND hash IN ${listOf(some)}`,
        );
        for (const { hash, data } of rows) found.set(hash, new Float32Array(Uint8Array.from(data).buffer));
      }
      return found;
    },
    putVectors: (model, vectors) =>
      commits.add("", async (tx) => {
        const rows = [...vectors].map(([hash, { buffer, byteOffset, byteLength }]) => {
          return [model, hash, Buffer.from(buffer, byteOffset, byteLength)];
        });
        for (const some of inStretches(rows))
          await tx.run(
            sql`INSERT INTO vector (model, hash, data) VALUES ${rowsOf(some)} ON CONFLICT (model, hash) DO NOTHING`,
          );
      }),
  };
}
