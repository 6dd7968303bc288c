import { existsSync, readdirSync, statSync } from "node:fs";
import { join, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import { suggestName } from "../../text/nearest-name.ts";
import { readStudyFolder } from "../../studies/run/study-folder.ts";
import type { Io } from "../terminal/io.ts";
import { locateStore } from "../setting/setting.ts";

export type StudiesOptions = { store?: string; config?: string };

/** Where studies are kept unless told otherwise. */
export function locateStudies(io: Io, options: StudiesOptions): string {
  return join(locateStore(io, options), "studies");
}

/** The studies kept there, by name. */
export function listStoredStudies(folder: string): string[] {
  if (!existsSync(folder)) return [];
  return readdirSync(folder)
    .filter((name) => existsSync(join(folder, name, "manifest.json")) && statSync(join(folder, name)).isDirectory())
    .sort();
}

/** A study that ran before, by its folder or by its name. */
export function openStudy(io: Io, options: StudiesOptions, name: string) {
  const folder = locateStudies(io, options);
  const path = [resolve(io.cwd, name), join(folder, name)].find((one) => existsSync(join(one, "manifest.json")));
  if (path === undefined)
    throw new ParleyError(
      "bad_input",
      `no study "${name}" has run here${suggestName(name, listStoredStudies(folder))}; start one with: parley study run FILE.yaml`,
    );
  return { path, ...readStudyFolder(path) };
}
