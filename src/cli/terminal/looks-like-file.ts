import { existsSync, statSync } from "node:fs";
import { extname, resolve } from "node:path";
import { ParleyError } from "../../contract/error.ts";

/**
 * Whether words on the command line are the name of a file, and not a text. A name that looks like a file's and is
 * none, or a folder, is an error: it is never read as a sentence.
 */
export function isFileName(cwd: string, words: string, endings: readonly string[]): boolean {
  if (words.trim() === "" || words.length > 1000 || words.includes("\n")) return false;
  const path = resolve(cwd, words);
  const found = existsSync(path) ? statSync(path) : null;
  const hasEnding = endings.includes(extname(words).toLowerCase());
  if (found?.isDirectory()) throw new ParleyError("bad_input", `${words}: that is a folder; give a file, or a text`);
  if (found && hasEnding) return true;
  const looksLikeOne =
    !/\s/.test(words.trim()) && /^(\.{0,2}[\\/].+|[\w.\\/-]*\w\.[a-z][a-z0-9]{1,4})$/i.test(words.trim());
  if (found) throw new ParleyError("bad_input", `${words}: a file of texts ends in ${endings.join(", ")}`);
  if (hasEnding || looksLikeOne)
    throw new ParleyError(
      "bad_input",
      `${words}: there is no such file (a text that looks like a file's name needs a space in it)`,
    );
  return false;
}
