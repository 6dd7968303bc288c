import type { DatabaseSync } from "node:sqlite";
import { hashPiece, type Piece } from "../../engine/prompt.ts";
import { createChunks } from "./sqlite-chunks.ts";
import { createDictionaries, readIfSound } from "./dictionaries.ts";
import { createPieceReader } from "./stored-pieces.ts";

/** What is wrong with a store file as a whole: its pages, what belongs to no run, and prompts that are not what their names say. */
export function findStoreProblems(database: DatabaseSync): string[] {
  const pages = (database.prepare("PRAGMA integrity_check(10)").all() as { integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((message) => message !== "ok");
  return [
    ...pages.map((message) => `the file is damaged: ${message}`),
    ...findOrphans(database),
    ...findBadDictionaries(database),
    ...pieces(database),
  ];
}

function findOrphans(database: DatabaseSync): string[] {
  const list = (table: string, column: string, what: string): string[] => {
    const rows = database
      .prepare(`SELECT DISTINCT ${column} AS id FROM ${table} WHERE ${column} NOT IN (SELECT id FROM runs) LIMIT 10`)
      .all() as { id: string }[];
    return rows.map(({ id }) => `run ${id} is gone, but its ${what} still there`);
  };
  return [
    ...list("progress", "run_id", "progress is"),
    ...list("chunks", "run", "entries are"),
    ...list("dictionaries", "run", "text is"),
  ];
}

function findBadDictionaries(database: DatabaseSync): string[] {
  const { read } = createDictionaries(database, () => "");
  const rows = database.prepare("SELECT id, run FROM dictionaries").all() as { id: number; run: string }[];
  return rows
    .filter(({ id }) => readIfSound(() => read(id)) === null)
    .map(({ run }) => `the text of run ${run} that others are packed against is damaged`);
}

function pieces(database: DatabaseSync): string[] {
  const problems: string[] = [];
  const check = ({ hash, parent, text }: Piece, where: string): void => {
    if (hashPiece(parent, text) !== hash) problems.push(`${where} was changed after it was stored`);
  };
  for (const row of database.prepare("SELECT hash, NULL AS parent, text FROM instructions").iterate())
    check(row as Piece, `the instructions ${String(row.hash).slice(0, 12)}…`);
  const { read } = createChunks(database);
  for (const { run } of database.prepare("SELECT DISTINCT run FROM chunks").all() as { run: string }[]) {
    const readPieces = createPieceReader();
    for (const { seq, pieces: stored } of readIfSound(() => read(run)) ?? []) {
      const where = `a prompt piece of entry ${seq} of run ${run}`;
      const found = readIfSound(() => readPieces(stored, where));
      if (found === null) problems.push(`${where} was changed after it was stored`);
      for (const piece of found ?? []) check(piece, where);
    }
  }
  return problems.slice(0, 10);
}
