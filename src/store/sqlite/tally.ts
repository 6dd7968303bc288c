import { closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { hasCode } from "../../contract/error.ts";
import { createChunks, type Mark, type StoredChunk } from "./sqlite-chunks.ts";

/**
 * A small file beside the store that says how far it has come. SQLite takes a log that was deleted or cut off for an earlier
 * moment of the store, whole and sound; only something outside of it can tell that there was more.
 */
export type Tally = { note(mark: Mark): void; close(): void };

/** Where the tally of a store file is. */
export function locateTally(file: string): string {
  return `${file}-tally`;
}

/** Opens the tally when the first chunk is noted. It is a witness: when it cannot be written, nothing else suffers. */
export function openTally(file: string): Tally {
  let handle: number | null | undefined = file === ":memory:" ? null : undefined;
  return {
    note({ chunk, run, hash }) {
      if (handle === undefined) handle = openOrCreate(file);
      if (handle === null) return;
      try {
        writeSync(handle, `${chunk} ${hash} ${run}`.padEnd(lineLength), 0);
      } catch {
        // A full disk is the store's to speak of.
      }
    },
    close() {
      if (typeof handle === "number") closeSync(handle);
      handle = null;
    },
  };
}

/** Longer than any mark, so that each overwrites the one before. */
const lineLength = 160;

function openOrCreate(file: string): number | null {
  try {
    return openSync(locateTally(file), constants.O_RDWR | constants.O_CREAT, 0o600);
  } catch {
    return null;
  }
}

/** What the tally says; null when there is none, or none that can be read. */
export function readTally(file: string): Mark | null {
  try {
    const [chunk, hash, run] = readFileSync(locateTally(file), "utf8").trimEnd().split(" ");
    return run === undefined || hash === undefined ? null : { chunk: Number(chunk), hash, run };
  } catch {
    return null;
  }
}

/** Forgets the tally: for changes after which the store has come less far. */
export function dropTally(file: string): void {
  rmSync(locateTally(file), { force: true });
}

/** What is missing from a store that had come as far as the mark; null when nothing is. */
export function findLoss(database: DatabaseSync, { chunk, run, hash }: Mark): string | null {
  const newest = Number(database.prepare("SELECT coalesce(max(id), 0) AS id FROM chunks").get()?.id);
  if (newest < chunk)
    return `${chunk - newest} of its last writes are missing, the newest of them of run ${run}: its log was deleted or cut off, or power was lost`;
  const row = database.prepare("SELECT run, data, base FROM chunks WHERE id = ?").get(chunk) as StoredChunk | undefined;
  try {
    const last = row && createChunks(database).unpack(row).at(-1);
    if (row?.run === run && last?.hash === hash) return null;
  } catch (error) {
    if (!hasCode(error, "corrupt_store")) throw error;
    return null;
  }
  return `what was written last, of run ${run}, was lost, and other things were written in its place`;
}

/** Keeps what is found to be missing, so that it is known also after the store has gone on. */
export function recordLoss(database: DatabaseSync, file: string): void {
  const mark = readTally(file);
  const loss = mark && findLoss(database, mark);
  if (loss === null) return;
  database.prepare("INSERT INTO losses VALUES (?, ?)").run(new Date().toISOString(), loss);
  dropTally(file);
}

/** What was ever found to be missing, and what is missing now. */
export function listLosses(database: DatabaseSync, file: string): string[] {
  const mark = readTally(file);
  const loss = mark && findLoss(database, mark);
  const known = database.prepare("SELECT at, message FROM losses ORDER BY at").all() as {
    at: string;
    message: string;
  }[];
  return [...known.map(({ at, message }) => `${message} (found ${at})`), ...(loss === null ? [] : [loss])];
}
