import type { EntryBody, JournalEntry } from "../contract/journal.ts";
import { ParleyError } from "../contract/error.ts";
import { sha256 } from "./hash.ts";
import { type Piece, pieceHash } from "./prompt-pieces.ts";

/**
 * Where a run's entries are kept. `append` resolves when the entry, and the pieces it needs, are durable; it may be called
 * again before that, keeps the order of the calls, and stores nothing after an entry that could not be stored. `text` is
 * the entry's body as it was hashed; pieces that are there already are not stored again.
 */
export type Journal = {
  entries: readonly JournalEntry[];
  append(entry: JournalEntry, text: string, pieces: readonly Piece[]): Promise<void>;
  /** The prompt that ends in this piece, from its first piece on; null when a piece is missing. */
  prompt(hash: string): Promise<string[] | null>;
};

/** Adds bodies to a journal as links of its hash chain, in order. */
export type JournalWriter = { write(body: EntryBody, pieces?: readonly Piece[]): Promise<void> };

/** The hash that the first entry follows. */
export const genesis = "0".repeat(64);

/** The hash of an entry: its body as it is stored, its place, and the hash before it. */
export function entryHash(prev: string, seq: number, text: string): string {
  return sha256(`${prev}\n${seq}\n${text}`);
}

/** Writes to `journal` after its last entry; entries are numbered at the call and become durable in that order. */
export function openJournal(journal: Journal): JournalWriter {
  const last = journal.entries.at(-1);
  let prev = last?.hash ?? genesis;
  let seq = (last?.seq ?? -1) + 1;
  let failure: { error: unknown } | null = null;
  return {
    async write(body, pieces = []) {
      if (failure) throw failure.error;
      const text = JSON.stringify(body);
      const entry: JournalEntry = { seq, prev, hash: entryHash(prev, seq, text), body };
      prev = entry.hash;
      seq += 1;
      try {
        await journal.append(entry, text, pieces);
      } catch (error) {
        failure = { error };
        throw error;
      }
    },
  };
}

/** A journal that lives as long as the process: for the library, redecisions and tests. */
export function memoryJournal(entries: JournalEntry[] = [], pieces = new Map<string, Piece>()): Journal {
  return {
    entries,
    append: async (entry, _text, newPieces) => {
      for (const piece of newPieces) pieces.set(piece.hash, piece);
      entries.push(entry);
    },
    prompt: async (hash) => promptFrom(hash, (name) => pieces.get(name)),
  };
}

/** Walks the pieces back from the last one; null when one is missing, an error when one is not what its name says. */
export function promptFrom(hash: string, find: (hash: string) => Piece | undefined): string[] | null {
  const texts: string[] = [];
  for (let name: string | null = hash; name !== null; ) {
    const piece = find(name);
    if (!piece) return null;
    if (pieceHash(piece.parent, piece.text) !== name)
      throw new ParleyError("corrupt_store", `the prompt piece ${name.slice(0, 12)}… was changed after it was stored`);
    texts.push(piece.text);
    name = piece.parent;
  }
  return texts.reverse();
}
