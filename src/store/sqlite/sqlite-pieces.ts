import type { DatabaseSync } from "node:sqlite";
import { rebuildPrompt } from "../../engine/journal.ts";
import type { Piece } from "../../engine/prompt.ts";
import type { Chunks } from "./sqlite-chunks.ts";
import { createPieceReader, joinPieces } from "./stored-pieces.ts";

/** A text shorter than this is not worth looking for among those of earlier pieces. */
const shortest = 100;

/** The pieces of a run's prompts: each is stored with the entry that first needed it, instructions once for all runs. */
export type RunPieces = {
  /** Those that are not stored yet; from here on they count as stored. */
  fresh(pieces: readonly Piece[]): Piece[];
  /** Stores the instructions among fresh pieces; gives the text of the others, to be stored with their entry. */
  write(fresh: readonly Piece[]): string;
  /** The prompt that ends in this piece, from its first piece on; null when a piece is missing. */
  prompt(hash: string): string[] | null;
};

export type PieceStore = {
  /** The pieces of a run; of one that was just made nothing is read. */
  of(runId: string, isNew: boolean): RunPieces;
  /** To be told of every transaction that was undone: instructions that it stored are stored again when they are needed. */
  undone(): void;
};

/** The pieces of runs. */
export function createPieceStore(database: DatabaseSync, chunks: Chunks): PieceStore {
  const insertInstructions = database.prepare("INSERT OR IGNORE INTO instructions (hash, text) VALUES (?, ?)");
  const selectInstructions = database.prepare("SELECT hash, NULL AS parent, text FROM instructions WHERE hash = ?");
  /** The instructions that this store has stored: nobody takes any away. */
  const instructed = new Set<string>();

  const writeInstructions = ({ hash, text }: Piece): void => {
    if (instructed.has(hash)) return;
    insertInstructions.run(hash, text);
    instructed.add(hash);
  };

  return {
    undone: () => instructed.clear(),
    of(runId, isNew) {
      let known: KnownPieces | null = isNew ? createKnown([]) : null;
      const recall = (): KnownPieces => (known ??= createKnown(readPieces(chunks, runId)));
      return {
        fresh: (pieces) => recall().add(pieces),
        write(fresh) {
          const [first] = fresh;
          if (first?.parent === null) writeInstructions(first);
          return recall().join(first?.parent === null ? fresh.slice(1) : fresh);
        },
        prompt(hash) {
          const { find } = recall();
          return rebuildPrompt(hash, (name) => find(name) ?? (selectInstructions.get(name) as Piece | undefined));
        },
      };
    },
  };
}

/** The pieces that a run's entries brought, in order. */
function readPieces(chunks: Chunks, runId: string): Piece[] {
  const read = createPieceReader();
  return chunks.read(runId).flatMap(({ seq, pieces }) => read(pieces, `the prompt of entry ${seq} of run ${runId}`));
}

/** The pieces of a run, each with its number: the order in which entries brought them. Instructions have none. */
type KnownPieces = {
  add(pieces: readonly Piece[]): Piece[];
  join(fresh: readonly Piece[]): string;
  find(hash: string): Piece | undefined;
};

function createKnown(stored: readonly Piece[]): KnownPieces {
  const known = new Map<string, Piece>();
  const numbers = new Map<string, number>();
  /** The first piece with each text: in other prompts the same is said after something else. */
  const firsts = new Map<string, number>();
  let count = 0;
  const take = (piece: Piece): void => {
    known.set(piece.hash, piece);
    if (piece.parent === null) return;
    numbers.set(piece.hash, count);
    if (piece.text.length >= shortest && !firsts.has(piece.text)) firsts.set(piece.text, count);
    count += 1;
  };
  stored.forEach(take);
  return {
    add(pieces) {
      const fresh = pieces.filter(({ hash }) => !known.has(hash));
      fresh.forEach(take);
      return fresh;
    },
    join(fresh) {
      // Half of a character has no bytes of its own: only as JSON does such a text come back as it was.
      if (!fresh.every(({ text }) => text.isWellFormed())) return JSON.stringify(fresh);
      const numbered = fresh.map(({ hash, parent, text }) => {
        const first = firsts.get(text);
        const after = numbers.get(parent ?? "") ?? parent ?? "";
        return { after, text, as: first === numbers.get(hash) ? undefined : first };
      });
      return joinPieces(numbered, fresh.at(-1)?.hash ?? "");
    },
    find: (hash) => known.get(hash),
  };
}
