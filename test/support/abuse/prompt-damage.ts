import type { DatabaseSync } from "node:sqlite";
import type { Random } from "../../../src/text/random.ts";
import type { Damage } from "./damage.ts";
import { pick } from "./random-values.ts";

/** Ways to damage what was sent. */
export const promptDamages: Record<string, Damage> = {
  "edit a piece": (database, id, random) =>
    changePiece(database, id, random, (piece) => ({
      ...piece,
      text: JSON.stringify(`${JSON.parse(piece.text) as string}${pick(random, [" ", "x", "!"])}`),
    })),
  "cut a piece": (database, id, random) =>
    changePiece(database, id, random, (piece) => ({
      ...piece,
      text: JSON.stringify((JSON.parse(piece.text) as string).slice(1)),
    })),
  "a piece before itself": (database, id, random) =>
    changePiece(database, id, random, (piece) => ({ ...piece, parent: piece.hash })),
  "another piece before it": (database, id, random) =>
    changePiece(database, id, random, (piece) => ({ ...piece, parent: "0".repeat(64) })),
  "a piece under another name": (database, id, random) =>
    changePiece(database, id, random, (piece) => ({ ...piece, hash: `${piece.hash.slice(1)}0` })),
  "a piece that is none": (database, id, random) =>
    changePiece(database, id, random, (piece) => ({
      ...piece,
      text: pick(random, ["", "null", "{}", "[", "7", piece.text.slice(1)]),
    })),
  "lose a piece": (database, id, random) => {
    const { hash } = pick(random, piecesOf(database, id));
    database.prepare("DELETE FROM prompt WHERE hash = ?").run(hash);
    return hash;
  },
};

type Piece = { hash: string; parent: string | null; text: string };

function piecesOf(database: DatabaseSync, id: string): Piece[] {
  return database
    .prepare(
      `WITH RECURSIVE used (hash) AS (
        SELECT prompt FROM entry WHERE run = ? UNION SELECT parent FROM prompt JOIN used USING (hash)
      ) SELECT hash, parent, text FROM prompt WHERE hash IN used ORDER BY hash`,
    )
    .all(id) as Piece[];
}

function changePiece(database: DatabaseSync, id: string, random: Random, change: (piece: Piece) => Piece): string {
  const before = pick(random, piecesOf(database, id));
  const { hash, parent, text } = change(before);
  database
    .prepare("UPDATE prompt SET hash = ?, parent = ?, text = ? WHERE hash = ?")
    .run(hash, parent, text, before.hash);
  return before.hash;
}
