import { readFile, readdir, stat } from "node:fs/promises";
import { dirname, extname, join, parse, relative, resolve } from "node:path";
import { ParleyError } from "../contract/error.ts";
import { readFormat, readableEndings } from "../knowledge/files/index.ts";
import type { Io } from "./io.ts";

/** Limits: bytes of one file, characters of all together. */
const maxFileBytes = 50 * 1024 * 1024;
const maxCharacters = 20_000_000;
const maxNamed = 8;

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
    const [first] = leftOut;
    const why = first ? `; ${leftOut.length} files were left out, the first because: ${first.why}` : "";
    if (found.isFolder && documents.size === 0)
      throw new ParleyError(
        "bad_input",
        `--docs ${path}: no text files in that folder that can be read (${readableEndings.join(", ")})${why}`,
      );
  }
  nameLeftOut(io, leftOut);
  return [...documents].map(([id, text]) => ({ id, text }));
}

async function readOne({ path, bytes }: FoundFile): Promise<{ text: string } | { why: string }> {
  if (bytes > maxFileBytes)
    return { why: `${Math.round(bytes / 1e6)} MB, at most ${maxFileBytes / 1024 / 1024} MB of one file are read` };
  try {
    const text = await readFormat(endingOf(path), await readFile(path));
    return text.trim() === "" ? { why: "it contains no text" } : { text };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

function nameLeftOut(io: Io, leftOut: FoundFiles["leftOut"]): void {
  for (const { path, why } of leftOut.slice(0, maxNamed))
    io.err(`not read: ${nameDocument(io.cwd, ".", path)} (${why})\n`);
  if (leftOut.length > maxNamed) io.err(`not read: ${leftOut.length - maxNamed} more files\n`);
}

type FoundFile = { path: string; bytes: number };
type FoundFiles = { files: FoundFile[]; leftOut: { path: string; why: string }[]; isFolder: boolean };

const maxFiles = 2_000;

/** Finds files under a path; links are listed but not followed. */
async function findDocuments(path: string, given: string): Promise<FoundFiles> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new ParleyError("bad_input", `--docs ${given}: there is no such file or folder`);
  if (found.isFile()) return { files: [{ path, bytes: found.size }], leftOut: [], isFolder: false };
  if (!found.isDirectory()) throw new ParleyError("bad_input", `--docs ${given}: that is neither a file nor a folder`);
  if (path === parse(path).root)
    throw new ParleyError(
      "bad_input",
      `--docs ${given}: that is the whole file system; name the folder with the documents`,
    );
  const walk: FoundFiles = { files: [], leftOut: [], isFolder: true };
  await walkFolder(walk, path);
  if (walk.files.length <= maxFiles) return walk;
  throw new ParleyError("bad_input", `--docs ${given}: more than ${maxFiles} files; name a smaller folder`);
}

async function walkFolder({ files, leftOut, ...walk }: FoundFiles, folder: string): Promise<void> {
  const entries = await readdir(folder, { withFileTypes: true }).catch(() => null);
  if (!entries) return void leftOut.push({ path: folder, why: "the folder cannot be opened" });
  for (const entry of entries.toSorted((a, b) => (a.name < b.name ? -1 : 1))) {
    const path = join(folder, entry.name);
    const ending = endingOf(path);
    if (entry.name.startsWith(".") || entry.name === "node_modules" || files.length > maxFiles) continue;
    if (entry.isDirectory()) await walkFolder({ files, leftOut, ...walk }, path);
    else if (entry.isSymbolicLink()) leftOut.push({ path, why: "links are not followed" });
    else if (!entry.isFile()) leftOut.push({ path, why: "not a file" });
    else if (readableEndings.includes(ending)) files.push({ path, bytes: (await stat(path)).size });
    else leftOut.push({ path, why: ending === "" ? "no file ending" : `.${ending} files cannot be read` });
  }
}

function endingOf(path: string): string {
  return extname(path).slice(1).toLowerCase();
}

/** A path for citations: relative to the working folder if it is inside, else to the given folder. */
function nameDocument(cwd: string, given: string, path: string): string {
  const fromHere = relative(cwd, path);
  return fromHere.startsWith("..") ? relative(dirname(resolve(cwd, given)), path) : fromHere || path;
}
