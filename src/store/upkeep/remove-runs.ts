import { createChunks } from "../sqlite/sqlite-chunks.ts";
import { dropTally } from "../sqlite/tally.ts";
import { changeStore, requireUnheld, shrink, workOnFile } from "./open-for-upkeep.ts";

/** Removes runs of a file and frees the space; says whether its log could be emptied. */
export async function removeRuns(file: string, ids: readonly string[]): Promise<{ isClean: boolean }> {
  await requireUnheld(file, new Set(ids));
  // Afterwards the store has come less far than the tally says.
  dropTally(file);
  return workOnFile(file, (database) => {
    changeStore(database, () => {
      for (const sql of [
        "DELETE FROM chunks WHERE run = ?",
        "DELETE FROM progress WHERE run_id = ?",
        "DELETE FROM runs WHERE id = ?",
      ]) {
        const statement = database.prepare(sql);
        for (const id of ids) statement.run(id);
      }
      createChunks(database).dropDictionaries(ids);
    });
    return { isClean: shrink(database) };
  });
}
