import { dropTally } from "../sqlite/tally.ts";
import { changeStore, requireUnheld, shrink, workOnFile } from "./open-for-upkeep.ts";

/** What is left to say after runs were removed or erased: whether the file's log could be emptied. */
export type Cleaned = { isClean: boolean };

/** Removes runs with their journals and frees the space; instructions, which runs share, stay. */
export async function removeRuns(file: string, ids: readonly string[]): Promise<Cleaned> {
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
    });
    return { isClean: shrink(database) };
  });
}
