import { existsSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import type { Io } from "../terminal/io.ts";

/** The store folder that an argument names: itself or the `.parley` in it; null when it names no folder, so may be a run. */
export function findStoreFolder(io: Io, target: string): string | null {
  const folder = resolve(io.cwd, target);
  if (!existsSync(folder) || !statSync(folder).isDirectory()) return null;
  const found = [folder, join(folder, ".parley")].find((one) => existsSync(join(one, "parley.db")));
  if (found === undefined)
    throw new ParleyError(
      "bad_input",
      `${target} is a folder, but no runs are kept in it (no parley.db); name a run, or the folder given with --store`,
    );
  return found;
}
