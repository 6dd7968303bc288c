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
    const rows = chunks.read(runId).filter(({ pieces }) => pieces !== noPieces);
    const stored = rows.flatMap(({ seq, pieces }) => {
      const what = `the prompt of entry ${seq} of run ${runId}`;
      return fitting(z.array(PieceSchema), parseStored(pieces, what), what);
    });
    return new Map(stored.map((piece) => [piece.hash, piece]));
  };

  return (runId, isNew) => {
    let known: Map<string, Piece> | null = isNew ? new Map() : null;
    return {
      fresh(pieces) {
        const stored = (known ??= read(runId));
        const fresh = pieces.filter((piece) => !stored.has(piece.hash));
        for (const piece of fresh) stored.set(piece.hash, piece);
        return fresh;
      },
      write(fresh) {
        const [first, ...others] = fresh;
        if (first?.parent !== null) return JSON.stringify(fresh);
        insertInstructions.run(first.hash, first.text);
        return JSON.stringify(others);
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
