import { readFile } from "node:fs/promises";
import { resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";
import type { Io } from "../terminal/io.ts";
import { readFormat, readableEndings } from "../../knowledge/files/index.ts";
import { endingOf, findDocuments, type FoundFile, type FoundFiles, nameDocument } from "./find-documents.ts";

/** What is read at most: bytes of one file, and characters of all together. */
const maxFileBytes = 50 * 1024 * 1024;
const maxCharacters = 20_000_000;
/** How many of the files that were left out are named. */
const maxNamed = 8;

/** Reads the documents under paths. A path that is missing or cannot be read is an error that names it; what cannot be read in a folder is named, and the rest is read. */
export async function readDocuments(io: Io, paths: readonly string[]): Promise<{ id: string; text: string }[]> {
  const documents = new Map<string, string>();
  const leftOut: FoundFiles["leftOut"] = [];
  let characters = 0;
  for (const path of paths) {
    const found = await findDocuments(resolve(io.cwd, path), path, (ending) => readableEndings.includes(ending));
    leftOut.push(...found.leftOut);
    for (const file of found.files) {
      const read = await readOne(file);
      if ("why" in read && !found.isFolder) throw new ParleyError("bad_input", `${path}: ${read.why}`);
      if ("why" in read) leftOut.push({ path: file.path, why: read.why });
      else documents.set(nameDocument(io.cwd, path, file.path), read.text);
      characters += "text" in read ? read.text.length : 0;
      if (characters > maxCharacters) throw createTooMuchError();
    }
    if (found.isFolder && documents.size === 0) throw createNothingError(path, leftOut);
  }
  nameLeftOut(io, leftOut);
  return [...documents].map(([id, text]) => ({ id, text }));
}

/** Reads a file when its size allows it; what is wrong with it is told, not thrown. */
async function readOne({ path, bytes }: FoundFile): Promise<{ text: string } | { why: string }> {
  if (bytes > maxFileBytes)
    return { why: `${Math.round(bytes / 1e6)} MB, at most ${maxFileBytes / 1024 / 1024} MB of one file are read` };
  try {
    return { text: await readFormat(endingOf(path), await readFile(path)) };
  } catch (error) {
    return { why: error instanceof Error ? error.message : String(error) };
  }
}

function nameLeftOut(io: Io, leftOut: FoundFiles["leftOut"]): void {
  for (const { path, why } of leftOut.slice(0, maxNamed))
    io.err(`not read: ${nameDocument(io.cwd, ".", path)} (${why})\n`);
  if (leftOut.length > maxNamed) io.err(`not read: ${leftOut.length - maxNamed} more files\n`);
}

function createTooMuchError(): ParleyError {
  const most = maxCharacters / 1e6;
  return new ParleyError(
    "bad_input",
    `the documents hold more than ${most} million characters of text; at most that many can be asked about at once`,
  );
}

function createNothingError(given: string, leftOut: FoundFiles["leftOut"]): ParleyError {
  const [first] = leftOut;
  const why = first ? `; ${leftOut.length} files were left out, the first because: ${first.why}` : "";
  return new ParleyError(
    "bad_input",
    `--docs ${given}: no text files in that folder that can be read (${readableEndings.join(", ")})${why}`,
  );
}
