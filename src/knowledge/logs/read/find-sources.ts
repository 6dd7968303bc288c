import { stat } from "node:fs/promises";
import { join } from "node:path";
import { glob } from "tinyglobby";
import { ParleyError } from "../../../contract/error.ts";

/** Where lines come from: a file by its path, or standard input (`path` null). `modifiedMs` dates logs without a year. */
export type FoundSource = { name: string; path: string | null; modifiedMs: number | null; bytes: number | null };

/** Turns what the user named (files, folders, globs, `-`) into sources, folders in the order of their paths. */
export async function findSources(inputs: readonly string[], folder = process.cwd()): Promise<FoundSource[]> {
  if (inputs.length === 0)
    throw new ParleyError("bad_input", "no log given: name files, folders, globs, or - for stdin");
  const found = await Promise.all(inputs.map((input) => findOne(input, folder)));
  const unique = new Map(found.flat().map((source) => [source.path ?? "-", source]));
  return [...unique.values()];
}

async function findOne(input: string, folder: string): Promise<FoundSource[]> {
  if (input === "-") return [{ name: "-", path: null, modifiedMs: null, bytes: null }];
  const path = join(input.startsWith("/") ? "" : folder, input);
  const info = await stat(path).catch(() => null);
  if (info?.isDirectory()) return await listFiles(input, path);
  if (info) return [{ name: input, path, modifiedMs: info.mtimeMs, bytes: info.isFile() ? info.size : null }];
  if (!/[*?[{]/.test(input)) throw new ParleyError("bad_input", `${input}: no such file or folder`);
  const names = await glob(input, { cwd: folder, onlyFiles: true, absolute: false });
  if (names.length === 0) throw new ParleyError("bad_input", `${input}: no file matches this pattern`);
  return await addTimes(names.toSorted(comparePaths), (name) => join(name.startsWith("/") ? "" : folder, name));
}

async function listFiles(input: string, path: string): Promise<FoundSource[]> {
  const names = await glob("**/*", { cwd: path, onlyFiles: true, dot: false });
  if (names.length === 0) throw new ParleyError("bad_input", `${input}: the folder has no files`);
  const sources = await addTimes(names.toSorted(comparePaths), (name) => join(path, name));
  return sources.map((source) => ({ ...source, name: join(input, source.name) }));
}

async function addTimes(names: readonly string[], pathOf: (name: string) => string): Promise<FoundSource[]> {
  const sources = await Promise.all(
    names.map(async (name): Promise<FoundSource[]> => {
      const path = pathOf(name);
      const info = await stat(path).catch(() => null);
      return info === null ? [] : [{ name, path, modifiedMs: info.mtimeMs, bytes: info.size }];
    }),
  );
  return sources.flat();
}

const collator = new Intl.Collator("en", { numeric: true });

/** Numbers inside names sort as numbers: `app.log.2` before `app.log.10`. */
function comparePaths(a: string, b: string): number {
  return collator.compare(a, b);
}
