import { lstat, readdir, realpath, stat } from "node:fs/promises";
import { dirname, extname, join, parse, relative, resolve, sep } from "node:path";
import { ParleyError } from "../../contract/error.ts";

/** A file to be read, and its size. */
export type FoundFile = { path: string; bytes: number };

/** What a path holds: files to read in order, and what was left out, each with why. */
export type FoundFiles = { files: FoundFile[]; leftOut: { path: string; why: string }[]; isFolder: boolean };

const maxFiles = 2_000;
const skippedFolders = new Set(["node_modules", ".git"]);

/** Finds the files under a path without leaving it: links that lead out of the folder are named and not followed. */
export async function findDocuments(
  path: string,
  given: string,
  isReadable: (ending: string) => boolean,
): Promise<FoundFiles> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new ParleyError("bad_input", `--docs ${given}: there is no such file or folder`);
  if (!found.isDirectory()) {
    if (!found.isFile()) throw new ParleyError("bad_input", `--docs ${given}: that is neither a file nor a folder`);
    return { files: [{ path, bytes: found.size }], leftOut: [], isFolder: false };
  }
  const root = await realpath(path);
  if (root === parse(root).root)
    throw new ParleyError(
      "bad_input",
      `--docs ${given}: that is the whole file system; name the folder with the documents`,
    );
  const walk: Walk = { root, isReadable, given, files: [], leftOut: [], seen: new Set() };
  await walkFolder(walk, path);
  return { files: walk.files, leftOut: walk.leftOut, isFolder: true };
}

type Walk = Omit<FoundFiles, "isFolder"> & {
  root: string;
  given: string;
  seen: Set<string>;
  isReadable(ending: string): boolean;
};

async function walkFolder(walk: Walk, folder: string): Promise<void> {
  const real = await realpath(folder);
  if (walk.seen.has(real)) return;
  walk.seen.add(real);
  const names = (await readdir(folder).catch(() => null))?.toSorted();
  if (!names) return void walk.leftOut.push({ path: folder, why: "the folder cannot be opened" });
  for (const name of names)
    if (!name.startsWith(".") && !skippedFolders.has(name)) await visit(walk, join(folder, name));
}

async function visit(walk: Walk, path: string): Promise<void> {
  const link = await lstat(path).catch(() => null);
  if (link?.isSymbolicLink()) {
    const target = await realpath(path).catch(() => null);
    if (target === null) return void walk.leftOut.push({ path, why: "the link leads nowhere" });
    if (!isInside(walk.root, target)) return void walk.leftOut.push({ path, why: "the link leads out of the folder" });
  }
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return walkFolder(walk, path);
  if (!found?.isFile()) return void walk.leftOut.push({ path, why: "not a file" });
  const ending = endingOf(path);
  if (!walk.isReadable(ending))
    return void walk.leftOut.push({ path, why: ending === "" ? "no file ending" : `.${ending} files cannot be read` });
  walk.files.push({ path, bytes: found.size });
  if (walk.files.length > maxFiles)
    throw new ParleyError("bad_input", `--docs ${walk.given}: more than ${maxFiles} files; name a smaller folder`);
}

/** The ending of a file's name in lower case, without the dot. */
export function endingOf(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

function isInside(root: string, target: string): boolean {
  return target === root || target.startsWith(root + sep);
}

/** A path as it is cited: from the working folder where it lies there, else from the folder that was given. */
export function nameDocument(cwd: string, given: string, path: string): string {
  const fromHere = relative(cwd, path);
  if (!fromHere.startsWith("..")) return fromHere || path;
  const base = resolve(cwd, given);
  return relative(dirname(base), path);
}
