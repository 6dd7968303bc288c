import { readFile, stat } from "node:fs/promises";
import { relative, resolve } from "node:path";
import { glob } from "tinyglobby";
import { ParleyError } from "../../contract/error.ts";
import type { Io } from "../terminal/io.ts";

const textEndings = ["txt", "md", "markdown", "rst", "html", "csv", "json", "jsonl", "yaml", "yml", "log"];
const maxBytes = 20 * 1024 * 1024;

/** Reads the texts under paths; a path that is missing, binary or holds no text is an error that names it. */
export async function readDocuments(io: Io, paths: readonly string[]): Promise<{ id: string; text: string }[]> {
  const documents = new Map<string, string>();
  for (const path of paths) {
    const files = await findFiles(resolve(io.cwd, path), path);
    for (const file of files) documents.set(relative(io.cwd, file) || file, await readText(file));
  }
  const bytes = [...documents.values()].reduce((sum, text) => sum + text.length, 0);
  if (bytes > maxBytes)
    throw new ParleyError(
      "bad_input",
      `the documents hold ${Math.round(bytes / 1e6)} MB of text; at most ${maxBytes / 1024 / 1024} MB can be asked about at once`,
    );
  return [...documents].map(([id, text]) => ({ id, text }));
}

async function findFiles(path: string, given: string): Promise<string[]> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new ParleyError("bad_input", `--docs ${given}: there is no such file or folder`);
  if (!found.isDirectory()) return [path];
  const files = await glob(
    textEndings.map((ending) => `**/*.${ending}`),
    { cwd: path, absolute: true, ignore: ["**/node_modules/**"] },
  );
  if (files.length === 0)
    throw new ParleyError("bad_input", `--docs ${given}: no text files in that folder (${textEndings.join(", ")})`);
  return files.toSorted();
}

async function readText(file: string): Promise<string> {
  const bytes = await readFile(file);
  if (bytes.subarray(0, 8_000).includes(0))
    throw new ParleyError("bad_input", `${file}: that is a binary file, not a text`);
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch (cause) {
    throw new ParleyError("bad_input", `${file}: not UTF-8; convert it first, e.g. with iconv`, { cause });
  }
}
