import * as z from "zod";
import { chainAfter, type Journal, rebuildPrompt } from "../../engine/journal.ts";
import type { Piece } from "../../engine/prompt.ts";
import type { Lease } from "../lease.ts";
import { listEntryText } from "../search-text.ts";
import { PieceSchema } from "../sqlite/stored-pieces.ts";
import { type EntryRow, entryOf, fitting, parseStored } from "../sqlite/sqlite-rows.ts";
import type { Database } from "./database.ts";
import type { Writes } from "./postgres-writes.ts";
import { listWords } from "./words.ts";

/** What a journal needs from the store that keeps it. */
export type JournalKeeper = { database: Database; writes: Writes };

type StoredEntry = EntryRow & { pieces: string };

/** The journal of a run; after an entry that could not be stored, or was refused, nothing more is. */
export async function openPostgresJournal(keeper: JournalKeeper, id: string, lease?: Lease): Promise<Journal> {
  const { database, writes } = keeper;
  const rows = await database.persist(() =>
    database.run<StoredEntry>("SELECT seq, prev, hash, body, pieces FROM entries WHERE run_id = $1 ORDER BY seq", [id]),
  );
  const entries = rows.map(({ seq, prev, hash, body }) => entryOf({ seq, prev, hash, body }, id));
  const link = chainAfter(entries);
  const known = new Map(rows.flatMap((row) => readPieces(row, id)).map((piece) => [piece.hash, piece]));
  let failure: { error: unknown } | null = null;
  return {
    entries,
    append: async (body, needed) => {
      if (failure) throw failure.error;
      const fresh = needed.filter((piece) => !known.has(piece.hash));
      for (const piece of fresh) known.set(piece.hash, piece);
      const [first, ...others] = fresh;
      const instructions = first?.parent === null ? first : undefined;
      const { entry, text } = link(body);
      const end = body.kind === "end" ? { status: "finished", outcome: body.result.outcome } : {};
      const pieces = JSON.stringify(instructions ? others : fresh);
      const words = listWords(listEntryText(body));
      const { seq, prev, hash } = entry;
      const work = {
        kind: "append",
        epoch: lease?.epoch ?? 0,
        seq,
        prev,
        hash,
        body: text,
        pieces,
        words,
        ...end,
      } as const;
      await writes.add(id, work, instructions).catch((error: unknown) => {
        failure ??= { error };
        throw error;
      });
    },
    prompt: async (hash) => {
      await readInstructions(keeper, known, hash);
      return rebuildPrompt(hash, (name) => known.get(name));
    },
  };
}

function readPieces({ seq, pieces }: StoredEntry, id: string): Piece[] {
  if (pieces === "[]") return [];
  const what = `the prompt of entry ${seq} of run ${id}`;
  return fitting(z.array(PieceSchema), parseStored(pieces, what), what);
}

/** Brings the instructions that a prompt begins with; they are stored apart from the run. */
async function readInstructions({ database }: JournalKeeper, known: Map<string, Piece>, hash: string): Promise<void> {
  let name: string = hash;
  for (let piece = known.get(name); piece; piece = known.get(name)) {
    if (piece.parent === null) return;
    name = piece.parent;
  }
  const [row] = await database.persist(() =>
    database.run<{ text: string }>("SELECT text FROM instructions WHERE hash = $1", [name]),
  );
  if (!row) return;
  const text = fitting(z.string(), parseStored(row.text, "instructions"), "instructions");
  known.set(name, { hash: name, parent: null, text });
}
