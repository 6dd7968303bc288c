import type { EntryBody } from "../../contract/journal.ts";
import { chainAfter, type Journal, type Linked } from "../../engine/journal.ts";
import type { Piece } from "../../engine/prompt.ts";
import type { GroupCommit } from "./group-commit.ts";
import { createLostLeaseError } from "../lease.ts";
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
  /** Told that a run was given back with its end. */
  onEnded(run: string, epoch: number): void;
};

/** The pieces of the run, the epoch of the lease that its journal is opened under (0 without one), and whether it was just made. */
export type OpenedUnder = { pieces: RunPieces; epoch: number; isNew: boolean };

/** An entry that waits for its transaction, with the pieces that it is the first to need. */
type Waiting = Linked & { fresh: Piece[] };

/**
 * The journal of a run in the store file. What is appended at one moment becomes one chunk. After an entry that could not
 * be stored, nothing more is.
 */
export async function openSqliteJournal(keeper: JournalKeeper, id: string, open: OpenedUnder): Promise<Journal> {
  const { commits, guard, read } = keeper;
  const { pieces, epoch, isNew } = open;
  const stored = isNew ? [] : await read(() => keeper.chunks.read(id));
  const entries = stored.map((entry) => entryOf(entry, id));
  const link = chainAfter(entries);
  let waiting: Waiting[] = [];
  let written: Promise<void> = Promise.resolve();
  let failure: { error: unknown } | null = null;
  let before = isNew ? null : await read(() => keeper.chunks.last(id));
  let last = before;
  const writeAll = (): void => void (last = writeChunk(keeper, id, { ...open, before, waiting }));
  return {
    entries,
    append: async (body, needed) => {
      if (failure) throw failure.error;
      waiting.push({ ...link(body), fresh: guard(() => pieces.fresh(needed)) });
      if (waiting.length === 1)
        written = commits.add(id, writeAll, {
          onDone: () => {
            if (waiting.at(-1)?.entry.body.kind === "end") keeper.onEnded(id, epoch);
            waiting = [];
            before = last;
          },
          onFailed: (error) => (failure ??= { error }),
        });
      return written;
    },
    prompt: (hash) => read(() => pieces.prompt(hash)),
  };
}

type ToWrite = OpenedUnder & { before: number | null; waiting: readonly Waiting[] };

/**
 * Writes what waits as one chunk after the run's last one and moves the run's head to its last entry, if nobody else has
 * moved it and the run is still ours; gives the chunk's number.
 */
function writeChunk({ sql, chunks }: JournalKeeper, id: string, toWrite: ToWrite): number | null {
  const { epoch, before, waiting, pieces } = toWrite;
  const last = waiting.at(-1)?.entry;
  const first = waiting[0]?.entry;
  if (!last || !first) return before;
  const entries = waiting.map(({ entry: { seq, prev, hash }, text, fresh }) => {
    return { seq, prev, hash, body: text, pieces: pieces.write(fresh) };
  });
  const chunk = chunks.add(id, before, entries);
  const bodies = waiting.map(({ entry }) => entry.body);
  const end = bodies.findLast(({ kind }) => kind === "end") as Extract<EntryBody, { kind: "end" }> | undefined;
  const head = [last.hash, last.seq + 1, chunk] as const;
  const place = [id, epoch, first.seq, before] as const;
  const { changes } = end
    ? sql.moveHeadToEnd.run(...head, end.result.outcome, ...place)
    : sql.moveHead.run(...head, ...place);
  if (changes === 0) throw createLostLeaseError(id);
  if (bodies.some(({ kind }) => kind === "review")) sql.markReviewed.run(id);
  return chunk;
}
