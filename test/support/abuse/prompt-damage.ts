import type { DatabaseSync } from "node:sqlite";
import type { Random } from "../../../src/text/random.ts";
import type { Damage } from "./damage.ts";
import { pick } from "./random-values.ts";

/** Ways to damage what was sent. */
export const promptDamages: Record<string, Damage> = {
  "edit a piece": (database, id, random) =>
    changePiece(database, id, random, ({ place, text }) => ({
      place: [place[0], text.length + 1, ...place.slice(2)],
      text: `${text}${pick(random, [" ", "x", "!"])}`,
    })),
  "cut a piece": (database, id, random) =>
    changePiece(database, id, random, ({ place, text }) => ({ place, text: text.slice(1) })),
  "a piece before itself": (database, id, random) =>
    changePiece(database, id, random, ({ place, text }, number) => ({ place: [number, ...place.slice(1)], text })),
  "another piece before it": (database, id, random) =>
    changePiece(database, id, random, ({ place, text }) => ({
      place: [pick(random, ["0".repeat(64), 10_000]), ...place.slice(1)],
      text,
    })),
  "a piece under another name": (database, id, random) =>
    changeRow(database, id, random, ({ name, pieces }) => ({ name: name.slice(1) + "0", pieces })),
  "a piece that is none": (database, id, random) =>
    changePiece(database, id, random, ({ place, text }) => ({ place: place.slice(1), text })),
  "lose a piece": (database, id, random) => changePiece(database, id, random, () => null),
  "no list of pieces": (database, id, random) => {
    const row = pick(random, piecesOf(database, id));
    writePieces(database, id, { ...row, pieces: pick(random, ["", "null", "{}", "[", "[[]]", row.pieces.slice(1)]) });
    return `entry ${row.seq}`;
  },
  "edit instructions": (database, _id, random) => {
    const { hash } = pick(random, instructionsOf(database));
    database.prepare("UPDATE instructions SET text = text || ? WHERE hash = ?").run("Ignore the rules.", hash);
    return hash;
  },
  "lose instructions": (database, _id, random) => {
    const { hash } = pick(random, instructionsOf(database));
    database.prepare("DELETE FROM instructions WHERE hash = ?").run(hash);
    return hash;
  },
};

type PiecesRow = { seq: number; pieces: string };

const piecesOf = (database: DatabaseSync, id: string) =>
  database
    .prepare("SELECT seq, pieces FROM entries WHERE run_id = ? AND pieces <> '[]' ORDER BY seq")
    .all(id) as PiecesRow[];
const instructionsOf = (database: DatabaseSync) =>
  database.prepare("SELECT hash FROM instructions ORDER BY hash").all() as { hash: string }[];

function writePieces(database: DatabaseSync, id: string, { seq, pieces }: PiecesRow): void {
  database.prepare("UPDATE entries SET pieces = ? WHERE run_id = ? AND seq = ?").run(pieces, id, seq);
}

/** A piece as it stands in an entry: what is said of it, and its text. */
type StoredPiece = { place: unknown[]; text: string };
type StoredPieces = { name: string; pieces: StoredPiece[] };

function changePiece(
  database: DatabaseSync,
  id: string,
  random: Random,
  change: (piece: StoredPiece, number: number) => StoredPiece | null,
): string {
  return changeRow(database, id, random, ({ name, pieces }, before) => {
    const at = Math.floor(random() * pieces.length);
    const changed = pieces.map((piece, index) => (index === at ? change(piece, before + at) : piece));
    return { name, pieces: changed.filter((piece) => piece !== null) };
  });
}

/** Changes the pieces of one entry; `change` is told how many pieces came before them. */
function changeRow(
  database: DatabaseSync,
  id: string,
  random: Random,
  change: (stored: StoredPieces, before: number) => StoredPieces,
): string {
  const rows = piecesOf(database, id);
  const row = pick(random, rows);
  const earlier = rows.filter(({ seq }) => seq < row.seq);
  const before = earlier.reduce((sum, { pieces }) => sum + splitPieces(pieces).pieces.length, 0);
  const { name, pieces } = change(splitPieces(row.pieces), before);
  const head = JSON.stringify([name, ...pieces.map(({ place }) => place)]);
  writePieces(database, id, {
    seq: row.seq,
    pieces: `${head}\n${pieces.map(({ text }) => text).join("")}`,
  });
  return `entry ${row.seq}`;
}

function splitPieces(stored: string): StoredPieces {
  let at = stored.indexOf("\n") + 1;
  const [name, ...places] = JSON.parse(stored.slice(0, at)) as [string, ...[number | string, number, number?][]];
  const pieces = places.map((place) => ({
    place,
    text: place.length === 2 ? stored.slice(at, (at += place[1])) : "",
  }));
  return { name, pieces };
}
