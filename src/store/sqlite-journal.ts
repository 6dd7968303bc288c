import { chainAfter, type Journal, type Linked } from "../engine/journal.ts";
import type { Piece } from "../engine/prompt-pieces.ts";
import type { GroupCommit } from "./group-commit.ts";
import { createLostLeaseError } from "./lease.ts";
import type { Chunks } from "./sqlite-chunks.ts";
import type { RunPieces } from "./sqlite-pieces.ts";
import { entryOf } from "./sqlite-rows.ts";
import type { Statements } from "./sqlite-statements.ts";

/** What a journal needs from the store that keeps it. */
export type JournalKeeper = {
  sql: Statements;
  chunks: Chunks;
  commits: GroupCommit;
  /** Puts a failure of the store into words. */
  guard<T>(work: () => T): T;
  /** Reads, and waits for trouble that passes. */
  read<T>(work: () => T): Promise<T>;
};

/** The pieces of the run, and the epoch of the lease that its journal is opened under; 0 without one. */
export type OpenedUnder = { pieces: RunPieces; epoch: number };

/** An entry that waits for its transaction, with the pieces that it is the first to need. */
type Waiting = Linked & { fresh: Piece[] };

/**
 * The journal of a run in the store file. What is appended at one moment becomes one chunk. After an entry that could not
 * be stored, nothing more is.
 */
export async function openSqliteJournal(keeper: JournalKeeper, id: string, open: OpenedUnder): Promise<Journal> {
  const { commits, guard, read } = keeper;
  const { pieces, epoch } = open;
  const stored = await read(() => keeper.chunks.read(id));
  const entries = stored.map((entry) => entryOf(entry, id));
  const link = chainAfter(entries);
  let waiting: Waiting[] = [];
  let written: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | null = null;
  const writeAll = (): void => writeChunk(keeper, id, { epoch, waiting, pieces });
  return {
    entries,
    append: async (body, needed) => {
      if (failure) throw failure.error;
      waiting.push({ ...link(body), fresh: guard(() => pieces.fresh(needed)) });
      if (waiting.length === 1)
        written = commits.add(id, writeAll, {
          onDone: () => (waiting = []),
          onFailed: (error) => (failure ??= { error }),
        });
      return written;
    },
    prompt: (hash) => read(() => pieces.prompt(hash)),
  };
}

type ToWrite = OpenedUnder & { waiting: readonly Waiting[] };

/** Writes what waits as one chunk and moves the run's head to its last entry, if the run is still ours. */
function writeChunk({ sql, chunks }: JournalKeeper, id: string, { epoch, waiting, pieces }: ToWrite): void {
  const last = waiting.at(-1)?.entry;
  const first = waiting[0]?.entry;
  if (!last || !first) return;
  const entries = waiting.map(({ entry: { seq, prev, hash }, text, fresh }) => {
    return { seq, prev, hash, body: text, pieces: pieces.write(fresh) };
  });
  const chunk = chunks.add(id, chunks.last(id), entries);
  const { changes } = sql.moveHead.run(last.hash, last.seq + 1, chunk, id, epoch, first.seq);
  if (changes === 0) throw createLostLeaseError(id);
  for (const { entry } of waiting) {
    if (entry.body.kind === "review") sql.markReviewed.run(id);
    if (entry.body.kind === "end") sql.updateStatus.run("finished", entry.body.result.outcome, id);
  }
}
