import { chainAfter, type Journal, type Linked } from "../engine/journal.ts";
import type { GroupCommit } from "./group-commit.ts";
import { createLostLeaseError } from "./lease.ts";
import type { RunPieces } from "./sqlite-pieces.ts";
import { type EntryRow, entryOf } from "./sqlite-rows.ts";
import { listEntryText } from "./search-text.ts";
import type { Search } from "./sqlite-search.ts";
import type { Statements } from "./sqlite-statements.ts";

/** What a journal needs from the store that keeps it. */
export type JournalKeeper = {
  sql: Statements;
  search: Search;
  commits: GroupCommit;
  /** Puts a failure of the store into words. */
  guard<T>(work: () => T): T;
  /** Reads, and waits for trouble that passes. */
  read<T>(work: () => T): Promise<T>;
};

/** The pieces of the run, and the epoch of the lease that its journal is opened under; 0 without one. */
export type OpenedUnder = { pieces: RunPieces; epoch: number };

/** The journal of a run in the store file. After an entry that could not be stored, nothing more is. */
export async function openSqliteJournal(keeper: JournalKeeper, id: string, open: OpenedUnder): Promise<Journal> {
  const { pieces, epoch } = open;
  const { commits, guard, read } = keeper;
  const rows = (await read(() => keeper.sql.selectEntries.all(id))) as EntryRow[];
  const entries = rows.map((row) => entryOf(row, id));
  const link = chainAfter(entries);
  let newest: Linked | null = null;
  let failure: { error: unknown } | null = null;
  return {
    entries,
    append: async (body, needed) => {
      if (failure) throw failure.error;
      const fresh = guard(() => pieces.fresh(needed));
      const linked = link(body);
      newest = linked;
      await commits.add(
        id,
        () => writeEntry(keeper, id, { linked, epoch, isNewest: newest === linked, pieces: pieces.write(fresh) }),
        (error) => (failure ??= { error }),
      );
    },
    prompt: (hash) => read(() => pieces.prompt(hash)),
  };
}

/** What is appended at one moment is committed together: only the newest entry moves the run's head. */
function writeEntry(
  { sql, search }: Pick<JournalKeeper, "sql" | "search">,
  id: string,
  { linked, epoch, isNewest, pieces }: { linked: Linked; epoch: number; isNewest: boolean; pieces: string },
): void {
  const { seq, prev, hash, body } = linked.entry;
  const { changes } = refuseTaken(id, () => sql.insertEntry.run(seq, prev, hash, linked.text, pieces, id, epoch));
  if (changes === 0) throw createLostLeaseError(id);
  search.add(id, seq, listEntryText(body));
  if (isNewest) sql.moveHead.run(hash, seq + 1, id);
  if (body.kind === "end") sql.updateStatus.run("finished", body.result.outcome, id);
}

/** A place in the journal that is taken means that somebody else has written to it. */
function refuseTaken<T>(id: string, insert: () => T): T {
  try {
    return insert();
  } catch (error) {
    if (takenCodes.has((error as { errcode?: number }).errcode ?? 0)) throw createLostLeaseError(id);
    throw error;
  }
}

/** CONSTRAINT_PRIMARYKEY and CONSTRAINT_UNIQUE. */
const takenCodes = new Set([1555, 2067]);
