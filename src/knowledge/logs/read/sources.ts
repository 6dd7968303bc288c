import { open, stat } from "node:fs/promises";
import { join } from "node:path";
import { glob } from "tinyglobby";
import { ParleyError } from "../../../contract/error.ts";

/** A file, or standard input (`path` null). `modifiedMs` dates logs without a year. */
export type FoundSource = { name: string; path: string | null; modifiedMs: number | null; bytes: number | null };

/** Resolves files, folders, globs and `-` to sources, folders sorted by path. */
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
  if (info?.isDirectory()) {
    const names = await glob("**/*", { cwd: path, onlyFiles: true, dot: false });
    if (names.length === 0) throw new ParleyError("bad_input", `${input}: the folder has no files`);
    const sources = await lookUp(names, (name) => join(path, name));
    return sources.map((source) => ({ ...source, name: join(input, source.name) }));
  }
  if (info) return [{ name: input, path, modifiedMs: info.mtimeMs, bytes: info.isFile() ? info.size : null }];
  if (!/[*?[{]/.test(input)) throw new ParleyError("bad_input", `${input}: no such file or folder`);
  const names = await glob(input, { cwd: folder, onlyFiles: true, absolute: false });
  if (names.length === 0) throw new ParleyError("bad_input", `${input}: no file matches this pattern`);
  return lookUp(names, (name) => join(name.startsWith("/") ? "" : folder, name));
}

/** `app.log.2` sorts before `app.log.10`. */
const collator = new Intl.Collator("en", { numeric: true });

async function lookUp(names: readonly string[], pathOf: (name: string) => string): Promise<FoundSource[]> {
  const sources = await Promise.all(
    names.toSorted(collator.compare).map(async (name): Promise<FoundSource[]> => {
      const path = pathOf(name);
      const info = await stat(path).catch(() => null);
      return info?.isFile() ? [{ name, path, modifiedMs: info.mtimeMs, bytes: info.size }] : [];
    }),
  );
  return sources.flat();
}

const tailBytes = 64 * 1024;

/** The last lines of a file, without the first, which may be cut; none unless it is a plain file. */
export async function readTail({ path, bytes }: FoundSource): Promise<string[]> {
  if (path === null || bytes === null || bytes === 0) return [];
  const file = await open(path).catch(() => null);
  if (file === null) return [];
  try {
    const from = Math.max(0, bytes - tailBytes);
    const { buffer, bytesRead } = await file.read(Buffer.alloc(Math.min(bytes, tailBytes)), { position: from });
    const text = buffer.toString("utf8", 0, bytesRead);
    const lines = text.includes("\0") ? [] : text.split(/\r?\n/);
    return from > 0 ? lines.slice(1) : lines;
  } finally {
    await file.close();
  }
}
