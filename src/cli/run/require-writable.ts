import { accessSync, constants, existsSync, statSync } from "node:fs";
import { dirname } from "node:path";
import { ParleyError } from "../../contract/error.ts";

/** Throws when a folder could not be made or written, before anything is spent on what would go into it. */
export function requireWritable(folder: string): void {
  let nearest = folder;
  while (!existsSync(nearest)) nearest = dirname(nearest);
  if (!statSync(nearest).isDirectory())
    throw new ParleyError("write_failed", `--out ${folder}: ${nearest} is not a folder; give another place`);
  try {
    accessSync(nearest, constants.W_OK);
  } catch (cause) {
    throw new ParleyError("write_failed", `--out ${folder}: ${nearest} cannot be written; give another place`, {
      cause,
    });
  }
}
