import { mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import * as z from "zod";
import { ParleyError } from "../../../contract/error.ts";
import { type Evidence, EvidenceSchema } from "../items/evidence.ts";

const FileSchema = z.strictObject({ version: z.literal(1), corpus: z.string(), items: z.array(EvidenceSchema) });

/** Keeps an imported corpus under its name; importing the same name again replaces it. */
export function saveCorpus(folder: string, corpus: string, items: Evidence[]): string {
  mkdirSync(folder, { recursive: true });
  const file = join(folder, `${corpus}.json`);
  const draft = `${file}.${process.pid}.new`;
  try {
    writeFileSync(draft, `${JSON.stringify({ version: 1, corpus, items }, null, 1)}\n`);
    renameSync(draft, file);
  } catch (cause) {
    rmSync(draft, { force: true });
    throw new ParleyError(
      "write_failed",
      `${file} could not be written: ${(cause as Error).message}; what was there before is untouched`,
      { cause },
    );
  }
  return file;
}

/** Every item that a user imported into this folder; none when the folder does not exist. */
export function loadCorpora(folder: string): { corpus: string; items: Evidence[] }[] {
  return listFiles(folder).map((name) => {
    const file = join(folder, name);
    const read = FileSchema.safeParse(readJson(file));
    if (read.success) return { corpus: read.data.corpus, items: read.data.items };
    throw new ParleyError(
      "bad_input",
      `${file} is not a corpus that "parley law import" wrote; import it again or remove it`,
      { cause: read.error },
    );
  });
}

function listFiles(folder: string): string[] {
  try {
    return readdirSync(folder)
      .filter((name) => name.endsWith(".json"))
      .toSorted();
  } catch (error) {
    if (error instanceof Error && "code" in error && error.code === "ENOENT") return [];
    throw error;
  }
}

function readJson(file: string): unknown {
  try {
    return JSON.parse(readFileSync(file, "utf8")) as unknown;
  } catch {
    return null;
  }
}
