import type { DatabaseSync } from "node:sqlite";
import { hashPiece } from "../engine/prompt-pieces.ts";
import { PieceSchema } from "./sqlite-pieces.ts";

/** What is wrong with a store file as a whole: its pages, what belongs to no run, and prompts that are not what their names say. */
export function findStoreProblems(database: DatabaseSync): string[] {
  const pages = (database.prepare("PRAGMA integrity_check(10)").all() as { integrity_check: string }[])
    .map((row) => row.integrity_check)
    .filter((message) => message !== "ok");
  return [...pages.map((message) => `the file is damaged: ${message}`), ...findOrphans(database), ...pieces(database)];
}

function findOrphans(database: DatabaseSync): string[] {
  return ["progress", "entries"].flatMap((table) => {
    const rows = database
      .prepare(`SELECT DISTINCT run_id AS id FROM ${table} WHERE run_id NOT IN (SELECT id FROM runs) LIMIT 10`)
      .all() as { id: string }[];
    return rows.map(
      ({ id }) => `run ${id} is gone, but its ${table} ${table === "progress" ? "is" : "are"} still there`,
    );
  });
}

function pieces(database: DatabaseSync): string[] {
  const problems: string[] = [];
  const check = (piece: unknown, where: string): void => {
    const parsed = PieceSchema.safeParse(piece).data;
    if (parsed === undefined || hashPiece(parsed.parent, parsed.text) !== parsed.hash)
      problems.push(`${where} was changed after it was stored`);
  };
  for (const row of database.prepare("SELECT hash, NULL AS parent, text FROM instructions").iterate())
    check({ ...row }, `the instructions ${String(row.hash).slice(0, 12)}…`);
  const stored = database.prepare("SELECT run_id, seq, pieces FROM entries WHERE pieces <> '[]'").iterate();
  for (const row of stored) {
    const { run_id: run, seq, pieces: text } = row as { run_id: string; seq: number; pieces: string };
    for (const piece of listIn(text)) check(piece, `a prompt piece of entry ${seq} of run ${run}`);
  }
  return problems.slice(0, 10);
}

/** The values of a stored list; anything but a list counts as a single bad value. */
function listIn(text: string): unknown[] {
  try {
    const list: unknown = JSON.parse(text);
    return Array.isArray(list) ? list : [list];
  } catch {
    return [text];
  }
}
