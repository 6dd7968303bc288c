import type { DatabaseSync } from "node:sqlite";
import { createChunks } from "../sqlite/sqlite-chunks.ts";
import { dropTally } from "../sqlite/tally.ts";
import { changeStore, requireUnheld, shrink, workOnFile } from "./open-for-upkeep.ts";
import { buryEntry, emptyManifest, type Wanted, writeStoredForms } from "./upkeep.ts";

/** The runs that hold something, oldest first: in what they were started with, their entries or their prompts. */
export function findRunsWith(file: string, wanted: Wanted): string[] {
  return workOnFile(file, (database) => {
    if ("caseId" in wanted)
      return listIds(database, "SELECT id FROM runs WHERE case_id = ? ORDER BY rowid", wanted.caseId);
    const { read } = createChunks(database);
    const [inside, within] = writeStoredForms(wanted.text);
    const hasText = (stored: string): boolean => stored.includes(inside) || stored.includes(within);
    const ids = listIds(database, "SELECT id FROM runs ORDER BY rowid");
    const manifestOf = database.prepare("SELECT manifest || coalesce(case_id, '') AS text FROM runs WHERE id = ?");
    return ids.filter(
      (id) =>
        String(manifestOf.get(id)?.text).includes(inside) ||
        read(id).some(({ body, pieces }) => hasText(body) || hasText(pieces) || pieces.includes(wanted.text)),
    );
  });
}

function listIds(database: DatabaseSync, sql: string, ...values: string[]): string[] {
  return (database.prepare(sql).all(...values) as { id: string }[]).map(({ id }) => id);
}

/** Erases runs of a file; says whether its log could be emptied. */
export async function eraseRuns(file: string, ids: readonly string[], at: string): Promise<{ isClean: boolean }> {
  await requireUnheld(file, new Set(ids));
  dropTally(file);
  return workOnFile(file, (database) => {
    changeStore(database, () => {
      for (const id of ids) eraseRun(database, id, at);
      createChunks(database).dropDictionaries(ids);
    });
    return { isClean: shrink(database) };
  });
}

function eraseRun(database: DatabaseSync, id: string, at: string): void {
  const chunks = createChunks(database);
  const entries = chunks.read(id).map((entry) => buryEntry(entry, at));
  database.prepare("DELETE FROM chunks WHERE run = ?").run(id);
  const last = entries.length === 0 ? null : chunks.add(id, null, entries);
  const { manifest } = database.prepare("SELECT manifest FROM runs WHERE id = ?").get(id) as { manifest: string };
  database
    .prepare("UPDATE runs SET manifest = ?, case_id = NULL, batch = NULL, key = ? WHERE id = ?")
    .run(emptyManifest(manifest), `erased ${id}`, id);
  database
    .prepare(
      `UPDATE progress SET last = ?, reviewed = 0, status = 'finished', holder = NULL,
        outcome = CASE outcome WHEN 'escalated' THEN NULL ELSE outcome END WHERE run_id = ?`,
    )
    .run(last, id);
}
