import { dirname, join } from "node:path";
import type { DatabaseSync, StatementSync } from "node:sqlite";
import { genesis } from "../../engine/journal.ts";
import { groupCommit } from "./group-commit.ts";
import { createPatience, type PatienceOptions } from "../patience.ts";
import { attempt, openDatabase, createTransactions, type OpenOptions } from "./sqlite-database.ts";
import { openSqliteJournal } from "./sqlite-journal.ts";
import { createLostLeaseError } from "../lease.ts";
import { createLeases, type LeaseOptions } from "./sqlite-leases.ts";
import { createPieceStore } from "./sqlite-pieces.ts";
import { createPager } from "./sqlite-page.ts";
import { findStoreProblems } from "./sqlite-problems.ts";
import { entryOf, listQuery, readRun, type RunRow, runOf } from "./sqlite-rows.ts";
import { createChunks } from "./sqlite-chunks.ts";
import { createSearch } from "./sqlite-search.ts";
import { prepareStatements } from "./sqlite-statements.ts";
import type { Store } from "../store.ts";
import { explainStoreError } from "../store-error.ts";
import { memoryInbox } from "../inbox/inbox.ts";
import { sqliteInbox } from "./sqlite-inbox.ts";
import { listLosses, openTally, recordLoss } from "./tally.ts";

export type StoreOptions = PatienceOptions & LeaseOptions & OpenOptions;

type NewRun = Parameters<Store["create"]>[0];

/** Opens the store in one SQLite file, making it if it is not there; one that cannot be written can still be read. */
export function sqliteStore(file: string, options: StoreOptions = {}): Store {
  const guard = <T>(work: () => T): T => attempt(file, work);
  const patience = createPatience(options);
  const tally = openTally(file);
  const read = <T>(work: () => T): Promise<T> => patience.read(() => guard(work));
  const { database, close, unwritable, isReadOnly } = guard(() => openDatabase(file, options));
  const { sql, chunks, search, page, pieces, inTransaction } = guard(() =>
    closeOnFailure(close, () => prepared(database)),
  );
  const commits = groupCommit((work) => {
    if (unwritable !== undefined) throw explainStoreError(file, unwritable);
    chunks.takeNewest();
    guard(() => inTransaction(work, pieces.undone));
    const mark = chunks.takeNewest();
    if (mark) tally.note(mark);
  }, patience);
  if (!isReadOnly) guard(() => closeOnFailure(close, () => recordLoss(database, file)));
  const leases = guard(() => closeOnFailure(close, () => createLeases(database, commits, options)));
  // Who cannot write here can still look: nothing is claimed then that anybody else would see.
  const inbox =
    isReadOnly || file === ":memory:"
      ? { ...memoryInbox(), close: () => undefined }
      : sqliteInbox(join(dirname(file), "desk.db"));

  /** Lists are asked for in few ways, by a batch once for every case: each way is prepared once. */
  const lists = new Map<string, StatementSync>();
  const prepare = (text: string): StatementSync => {
    const statement = lists.get(text) ?? database.prepare(text);
    lists.set(text, statement);
    return statement;
  };

  /** Brings the index up to date a stretch at a time, so that a long one does not hold everything else up. */
  const catchUp = async (): Promise<void> => {
    if (isReadOnly && (await read(search.isBehind))) await read(search.indexForReading);
    while (search.isBehind()) await commits.add("", () => void search.catchUp());
  };

  const insert = ({ id, manifest, caseId, key, batch, status, outcome, createdAt }: NewRun): void => {
    sql.insertRun.run(id, JSON.stringify(manifest), caseId, key, batch, createdAt);
    sql.insertProgress.run(id, status, outcome, genesis);
  };

  return {
    location: file,
    create: (run) => commits.add(run.id, () => insert(run)),
    async createOnce(run, within) {
      let found: string | null = null;
      await commits.add(run.id, () => {
        const row = sql.selectSame.get(run.key, run.key, within?.batch ?? null) as { id: string } | undefined;
        found = row?.id ?? null;
        if (found === null) insert(run);
      });
      return found ?? run.id;
    },
    async get(id) {
      const row = (await read(() => sql.selectRun.get(id))) as RunRow | undefined;
      return row ? runOf(row) : null;
    },
    async list(filter = {}, onDamaged) {
      const query = listQuery(filter);
      const rows = (await read(() => prepare(query.sql).all(...query.values))) as RunRow[];
      return rows.flatMap((row) => readRun(row, onDamaged));
    },
    async page(filter) {
      if (filter.text !== undefined) await catchUp();
      return read(() => page(filter));
    },
    async ids(prefix = "") {
      const rows = (await read(() => sql.selectIds.all(prefix.length, prefix))) as { id: string }[];
      return rows.map((row) => row.id);
    },
    async reviewed() {
      const rows = (await read(() => sql.selectReviewed.all())) as { id: string }[];
      return rows.map((row) => row.id);
    },
    problems: () => read(() => [...listLosses(database, file), ...findStoreProblems(database)]),
    setStatus: (id, status, outcome, lease) =>
      commits.add(id, () => {
        if (!lease) sql.updateStatus.run(status, outcome, id);
        else if (sql.updateStatusOf.run(status, outcome, id, lease.epoch).changes === 0) throw createLostLeaseError(id);
      }),
    journal(id, lease) {
      const isNew = lease !== undefined && leases.isStart(lease);
      const keeper = { sql, chunks, commits, guard, read, onEnded: leases.ended };
      return openSqliteJournal(keeper, id, { pieces: pieces.of(id, isNew), epoch: lease?.epoch ?? 0, isNew });
    },
    async entriesAfter(id, seq, limit) {
      const stored = await read(() => chunks.read(id, seq));
      return stored
        .filter((entry) => entry.seq > seq)
        .slice(0, limit)
        .map((entry) => entryOf(entry, id));
    },
    lock: leases.take,
    held: () => read(leases.list),
    inbox,
    async close() {
      inbox.close();
      leases.close();
      commits.flush();
      tally.close();
      guard(close);
    },
  };
}

/** Everything that is run on the file, prepared. */
function prepared(database: DatabaseSync) {
  const search = createSearch(database);
  const chunks = createChunks(database);
  return {
    search,
    chunks,
    page: createPager(database, search),
    sql: prepareStatements(database),
    pieces: createPieceStore(database, chunks),
    inTransaction: createTransactions(database),
  };
}

/** Makes something from a file, and closes the file if that fails. */
function closeOnFailure<T>(close: () => void, make: () => T): T {
  try {
    return make();
  } catch (error) {
    close();
    throw error;
  }
}
