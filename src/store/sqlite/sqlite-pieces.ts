import type { DatabaseSync } from "node:sqlite";
import * as z from "zod";
import { rebuildPrompt } from "../../engine/journal.ts";
import type { Piece } from "../../engine/prompt-pieces.ts";
import type { Chunks } from "./sqlite-chunks.ts";
import { fitting, parseStored } from "./sqlite-rows.ts";

/** A piece as it is stored. */
export const PieceSchema: z.ZodType<Piece> = z.strictObject({
  hash: z.string(),
  parent: z.string().nullable(),
  text: z.string(),
});

/** The pieces that an entry brings; one that says what an earlier piece of its run says (`as`) has no text of its own. */
const StoredPiecesSchema = z.array(
  z.union([PieceSchema, z.strictObject({ hash: z.string(), parent: z.string(), as: z.string() })]),
);

/** A text shorter than this takes less room than the name of a piece that says the same. */
const shortest = 100;

/** What an entry without fresh pieces brings. */
export const noPieces = "[]";

/** The pieces of a run's prompts: each is stored with the entry that first needed it, instructions once for all runs. */
export type RunPieces = {
  /** Those that are not stored yet; from here on they count as stored. */
  fresh(pieces: readonly Piece[]): Piece[];
  /** Stores the instructions among fresh pieces; gives the text of the others, to be stored with their entry. */
  write(fresh: readonly Piece[]): string;
  /** The prompt that ends in this piece, from its first piece on; null when a piece is missing. */
  prompt(hash: string): string[] | null;
};

/** The pieces of runs; of one that was just made nothing is read. */
export function createPieceStore(database: DatabaseSync, chunks: Chunks): (runId: string, isNew: boolean) => RunPieces {
  const insertInstructions = database.prepare("INSERT OR IGNORE INTO instructions (hash, text) VALUES (?, ?)");
  const selectInstructions = database.prepare("SELECT hash, NULL AS parent, text FROM instructions WHERE hash = ?");

  const read = (runId: string): Map<string, Piece> => {
    const found = new Map<string, Piece>();
    for (const { seq, pieces } of chunks.read(runId)) {
      if (pieces === noPieces) continue;
      const what = `the prompt of entry ${seq} of run ${runId}`;
      for (const piece of fitting(StoredPiecesSchema, parseStored(pieces, what), what)) {
        const { hash, parent } = piece;
        const text = "text" in piece ? piece.text : found.get(piece.as)?.text;
        if (text !== undefined) found.set(hash, { hash, parent, text });
      }
    }
    return found;
  };

  return (runId, isNew) => {
    let known: Map<string, Piece> | null = isNew ? new Map() : null;
    /** The first piece with each text: in other prompts the same is said after something else. */
    const firsts = new Map<string, string>();
    return {
      fresh(pieces) {
        const stored = (known ??= read(runId));
        const fresh = pieces.filter((piece) => !stored.has(piece.hash));
        for (const piece of fresh) {
          stored.set(piece.hash, piece);
          if (piece.parent !== null && !firsts.has(piece.text)) firsts.set(piece.text, piece.hash);
        }
        return fresh;
      },
      write(fresh) {
        const [first] = fresh;
        if (first?.parent === null) insertInstructions.run(first.hash, first.text);
        const others = fresh.filter(({ parent }) => parent !== null);
        return JSON.stringify(
          others.map((piece) => {
            const as = firsts.get(piece.text);
            return as === piece.hash || piece.text.length < shortest
              ? piece
              : { hash: piece.hash, parent: piece.parent, as };
          }),
        );
      },
      prompt(hash) {
        known ??= read(runId);
        const find = (name: string): Piece | undefined =>
          known?.get(name) ?? (selectInstructions.get(name) as Piece | undefined);
        return rebuildPrompt(hash, find);
      },
    };
  };
}
