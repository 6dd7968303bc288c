import { readFile, readdir, realpath, stat } from "node:fs/promises";
import { resolve, dirname, extname, join, parse, relative, sep } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { readFormat, readableEndings } from "../knowledge/files/index.ts";
import type { Io } from "./io.ts";

/** What is read at most: bytes of one file, and characters of all together. */
const maxFileBytes = 50 * 1024 * 1024;
const maxCharacters = 20_000_000;
/** How many of the files that were left out are named. */
const maxNamed = 8;

/** Reads the documents under paths; what cannot be read in a folder is named, and the rest is read. */
export async function readDocuments(io: Io, paths: readonly string[]): Promise<{ id: string; text: string }[]> {
  const documents = new Map<string, string>();
  const leftOut: FoundFiles["leftOut"] = [];
  let characters = 0;
  for (const path of paths) {
    const found = await findDocuments(resolve(io.cwd, path), path);
    leftOut.push(...found.leftOut);
    for (const file of found.files) {
      const read = await readOne(file);
      if ("why" in read && !found.isFolder) throw new ParleyError("bad_input", `${path}: ${read.why}`);
      if ("why" in read) leftOut.push({ path: file.path, why: read.why });
      else documents.set(nameDocument(io.cwd, path, file.path), read.text);
      characters += "text" in read ? read.text.length : 0;
      if (characters > maxCharacters)
        throw new ParleyError(
          "bad_input",
          `the documents hold more than ${maxCharacters / 1e6} million characters of text; at most that many can be asked about at once`,
        );
    }
    if (found.isFolder && documents.size === 0) throw createNothingError(path, leftOut);
  }
  nameLeftOut(io, leftOut);
  return [...documents].map(([id, text]) => ({ id, text }));
}

async function readOne({ path, bytes }: FoundFile): Promise<{ text: string } | { why: string }> {
  if (bytes > maxFileBytes)
    return { why: `${Math.round(bytes / 1e6)} MB, at most ${maxFileBytes / 1024 / 1024} MB of one file are read` };
  try {
    const text = await readFormat(endingOf(path), await readFile(path));
    return text.trim() === "" ? { why: "there is no text in it" } : { text };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

function nameLeftOut(io: Io, leftOut: FoundFiles["leftOut"]): void {
  for (const { path, why } of leftOut.slice(0, maxNamed))
    io.err(`not read: ${nameDocument(io.cwd, ".", path)} (${why})\n`);
  if (leftOut.length > maxNamed) io.err(`not read: ${leftOut.length - maxNamed} more files\n`);
}

function createNothingError(given: string, leftOut: FoundFiles["leftOut"]): ParleyError {
  const [first] = leftOut;
  const why = first ? `; ${leftOut.length} files were left out, the first because: ${first.why}` : "";
  return new ParleyError(
    "bad_input",
    `--docs ${given}: no text files in that folder that can be read (${readableEndings.join(", ")})${why}`,
  );
}

type FoundFile = { path: string; bytes: number };

type FoundFiles = { files: FoundFile[]; leftOut: { path: string; why: string }[]; isFolder: boolean };

const maxFiles = 2_000;
const skippedFolders = new Set(["node_modules", ".git"]);

/** Finds the files under a path without leaving it: links that lead out of the folder are named and not followed. */
async function findDocuments(path: string, given: string): Promise<FoundFiles> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new ParleyError("bad_input", `--docs ${given}: there is no such file or folder`);
  if (found.isFile()) return { files: [{ path, bytes: found.size }], leftOut: [], isFolder: false };
  if (!found.isDirectory()) throw new ParleyError("bad_input", `--docs ${given}: that is neither a file nor a folder`);
  const root = await realpath(path);
  if (root === parse(root).root)
    throw new ParleyError(
      "bad_input",
      `--docs ${given}: that is the whole file system; name the folder with the documents`,
    );
  const walk: Walk = { root, given, files: [], leftOut: [], seen: new Set() };
  await walkFolder(walk, path);
  return { ...walk, isFolder: true };
}

type Walk = Omit<FoundFiles, "isFolder"> & { root: string; given: string; seen: Set<string> };

async function walkFolder(walk: Walk, folder: string): Promise<void> {
  const real = await realpath(folder);
  if (walk.seen.has(real)) return;
  walk.seen.add(real);
  const names = (await readdir(folder).catch(() => null))?.toSorted();
  if (!names) return void walk.leftOut.push({ path: folder, why: "the folder cannot be opened" });
  for (const name of names) {
    if (name.startsWith(".") || skippedFolders.has(name)) continue;
    const path = join(folder, name);
    const why = await visit(walk, path);
    if (why !== null) walk.leftOut.push({ path, why });
  }
}

async function visit(walk: Walk, path: string): Promise<string | null> {
  const target = await realpath(path).catch(() => null);
  if (target === null) return "the link leads nowhere";
  if (!target.startsWith(walk.root + sep) && target !== walk.root) return "the link leads out of the folder";
  const found = await stat(path).catch(() => null);
  if (found?.isDirectory()) return walkFolder(walk, path).then(() => null);
  if (!found?.isFile()) return "not a file";
  const ending = endingOf(path);
  if (!readableEndings.includes(ending)) return ending === "" ? "no file ending" : `.${ending} files cannot be read`;
  walk.files.push({ path, bytes: found.size });
  if (walk.files.length <= maxFiles) return null;
  throw new ParleyError("bad_input", `--docs ${walk.given}: more than ${maxFiles} files; name a smaller folder`);
}

function endingOf(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

/** A path as it is cited: from the working folder where it lies there, else from the folder that was given. */
function nameDocument(cwd: string, given: string, path: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith("..") ? relative(dirname(resolve(cwd, given)), path) : fromHere || path;
}
