import { hashPiece } from "../../engine/prompt.ts";
import { PieceSchema } from "../sqlite/stored-pieces.ts";
import type { Database } from "./database.ts";

const mostProblems = 10;
/** A store of a million debates is read in bites. */
const biteSize = 2_000;

type PiecesRow = { run_id: string; seq: number; pieces: string };

/** What is wrong with a shared store as a whole: what belongs to no run, and prompts that are not what their names say. */
export async function findPostgresProblems(database: Database): Promise<string[]> {
  const orphans = await Promise.all(["progress", "entries"].map((table) => findOrphans(database, table)));
  return [...orphans.flat(), ...(await checkInstructions(database)), ...(await checkPieces(database))].slice(
    0,
    mostProblems,
  );
}

async function findOrphans(database: Database, table: string): Promise<string[]> {
  const rows = await database.run<{ id: string }>(
    `SELECT DISTINCT run_id AS id FROM ${table} WHERE NOT EXISTS (SELECT 1 FROM runs WHERE id = run_id) LIMIT ${mostProblems}`,
  );
  return rows.map(({ id }) => `run ${id} is gone, but its ${table} ${table === "progress" ? "is" : "are"} still there`);
}

async function checkInstructions(database: Database): Promise<string[]> {
  const rows = await database.run<{ hash: string; text: string }>("SELECT hash, text FROM instructions");
  return rows
    .filter(({ hash, text }) => !isPiece({ hash, parent: null, text: parse(text) }))
    .map(({ hash }) => `the instructions ${hash.slice(0, 12)}… was changed after it was stored`);
}

async function checkPieces(database: Database): Promise<string[]> {
  const problems: string[] = [];
  for (let last: [string, number] = ["", -1]; problems.length < mostProblems; ) {
    const rows = await database.run<PiecesRow>(
      `SELECT run_id, seq, pieces FROM entries WHERE pieces <> '[]' AND (run_id, seq) > ($1, $2)
        ORDER BY run_id, seq LIMIT ${biteSize}`,
      last,
    );
    for (const { run_id: run, seq, pieces } of rows) {
      const list = parse(pieces);
      for (const piece of Array.isArray(list) ? (list as unknown[]) : [list])
        if (!isPiece(piece))
          problems.push(`a prompt piece of entry ${seq} of run ${run} was changed after it was stored`);
    }
    const end = rows.at(-1);
    if (!end || rows.length < biteSize) break;
    last = [end.run_id, end.seq];
  }
  return problems;
}

function isPiece(value: unknown): boolean {
  const piece = PieceSchema.safeParse(value).data;
  return piece !== undefined && hashPiece(piece.parent, piece.text) === piece.hash;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
