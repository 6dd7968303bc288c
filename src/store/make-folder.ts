import { closeSync, existsSync, fsyncSync, mkdirSync, openSync } from "node:fs";
import { dirname } from "node:path";

/** Makes a folder and those above it, and makes them last. Node's own recursive mkdir never returns where nothing can be made, such as under /proc. */
export function makeFolder(folder: string, mode = 0o777): void {
  if (existsSync(folder)) return;
  makeFolder(dirname(folder));
  try {
    mkdirSync(folder, { mode });
    syncFolder(dirname(folder));
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== "EEXIST") throw error;
  }
}

/** Makes an empty file that only its owner may read, in a folder of that kind, and makes both last; one that is there stays. */
export function makePrivateFile(file: string): void {
  const folder = dirname(file);
  makeFolder(folder, 0o700);
  if (existsSync(file)) return;
  closeSync(openSync(file, "a", 0o600));
  syncFolder(folder);
}

/** Makes what was created, renamed or removed in a folder survive a loss of power, where the system can. */
export function syncFolder(folder: string): void {
  let handle: number;
  try {
    handle = openSync(folder, "r");
  } catch {
    return;
  }
  try {
    fsyncSync(handle);
  } catch (error) {
    if (!["EINVAL", "EPERM", "EISDIR", "ENOTSUP"].includes((error as NodeJS.ErrnoException).code ?? "")) throw error;
  } finally {
    closeSync(handle);
  }
}
