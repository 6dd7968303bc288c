import { genesis } from "../../engine/journal.ts";
import { listCaseText } from "../search-text.ts";
import { type EntryRow, entryOf, readRun, runOf } from "../sqlite/sqlite-rows.ts";
import type { Store } from "../store.ts";
import type { Database } from "./database.ts";
import { requireLayout } from "./layout.ts";
import { createPostgresInbox } from "./postgres-inbox.ts";
import { openPostgresJournal } from "./postgres-journal.ts";
import { createPostgresLeases, type LeaseOptions } from "./postgres-leases.ts";
import { listRows, readPage, readRow } from "./postgres-page.ts";
import { findPostgresProblems } from "./postgres-problems.ts";
import { createWrites, type Work } from "./postgres-writes.ts";
import { listWords } from "./words.ts";

/** Opens the store in a schema of a PostgreSQL database; one that is not laid out as this Parley needs it is refused. */
export async function postgresStore(database: Database, options: LeaseOptions = {}): Promise<Store> {
  const { persist } = database;
  await persist(() => requireLayout(database));
  const writes = createWrites(database);
  const leases = createPostgresLeases(database, writes, options);
  const listIds = async (sql: string, values: unknown[] = []): Promise<string[]> =>
    (await persist(() => database.run<{ id: string }>(sql, values))).map((row) => row.id);

  return {
    location: database.address.location,
    create: async (run) => void (await writes.add(run.id, createWork(run))),
    async createOnce(run, within) {
      const work = { ...createWork(run), once: true, within: within?.batch ?? null };
      const { same } = ((await writes.add(run.id, work)) ?? {}) as { same?: string };
      return same ?? run.id;
    },
    async get(id) {
      const row = await persist(() => readRow(database, id));
      return row ? runOf(row) : null;
    },
    async list(filter = {}, onDamaged) {
      return (await persist(() => listRows(database, filter))).flatMap((row) => readRun(row, onDamaged));
    },
    page: (filter) => persist(() => readPage(database, filter)),
    ids: (prefix = "") => listIds("SELECT id FROM runs WHERE starts_with(id, $1) ORDER BY place", [prefix]),
    reviewed: () =>
      listIds(`SELECT DISTINCT run_id AS id FROM entries WHERE left(body, 16) = '{"kind":"review"' ORDER BY run_id`),
    problems: () => persist(() => findPostgresProblems(database)),
    async setStatus(id, status, outcome, lease) {
      await writes.add(id, { kind: "status", status, outcome, epoch: lease?.epoch ?? null });
    },
    journal: (id, lease) => openPostgresJournal({ database, writes }, id, lease),
    async entriesAfter(id, seq, limit) {
      const rows = await persist(() =>
        database.run<EntryRow>(
          "SELECT seq, prev, hash, body FROM entries WHERE run_id = $1 AND seq > $2 ORDER BY seq LIMIT $3",
          [id, seq, limit],
        ),
      );
      return rows.map((row) => entryOf(row, id));
    },
    lock: leases.take,
    held: () => persist(leases.list),
    inbox: createPostgresInbox(database),
    async close() {
      await leases.close();
      await writes.idle();
      await database.close();
    },
  };
}

type NewRun = Parameters<Store["create"]>[0];

function createWork({ manifest, caseId, key, batch, status, outcome, createdAt }: NewRun): Work {
  const facts = { manifest: JSON.stringify(manifest), pack: manifest.pack, caseId, key, batch, createdAt };
  return { kind: "create", ...facts, status, outcome, genesis, words: listWords(listCaseText(manifest)) };
}
