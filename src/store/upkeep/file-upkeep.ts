import { eraseRuns, findRunsWith } from "./erase-runs.ts";
import { removeRuns } from "./remove-runs.ts";
import type { Cleaned, Upkeep } from "./upkeep.ts";

/** What is said when a log could not be emptied. */
export const inUse =
  "Another process has the store open: what was deleted is in its log until that one closes it, or `parley store compact` is run then.";

/** Looks after a store in a file. */
export function fileUpkeep(file: string): Upkeep {
  const describe = ({ isClean }: { isClean: boolean }): Cleaned => ({ left: isClean ? null : inUse });
  return {
    find: async (wanted) => findRunsWith(file, wanted),
    remove: async (ids) => describe(await removeRuns(file, ids)),
    erase: async (ids, at) => describe(await eraseRuns(file, ids, at)),
    close: async () => undefined,
  };
}
