import { appendFileSync, closeSync, constants, openSync, readFileSync, rmSync, writeSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { toHex } from "./tables.ts";

/** The entry that was committed last. */
export type Mark = { run: string; seq: number; hash: string };

/**
 * A small file beside the store that says how far it has come. SQLite takes a log that was deleted or cut off for an earlier
 * moment of the store, whole and sound; only something outside of it can tell that there was more.
 */
export type Tally = { note(mark: Mark): void; close(): void };

/** Where the tally of a store file is, and what was ever found to be missing from the store. */
export function locateTally(file: string): string {
  return `${file}-tally`;
}
const locateLosses = (file: string): string => `${file}-losses`;

/** Opens the tally when the first entry is noted. It is a witness: when it cannot be written, nothing else suffers. */
export function openTally(file: string): Tally {
  let handle: number | null | undefined = file === ":memory:" ? null : undefined;
  return {
    note({ run, seq, hash }) {
      if (handle === undefined) handle = openOrCreate(file);
      if (handle === null) return;
      try {
        writeSync(handle, `${seq} ${hash} ${run}`.padEnd(lineLength), 0);
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

/** Forgets the tally: for changes after which the store has come less far. */
export function dropTally(file: string): void {
  rmSync(locateTally(file), { force: true });
}

/** What is missing from a store that had come as far as its tally says; null when nothing is. */
function findLoss(database: DatabaseSync, file: string): string | null {
  const [seq, hash, run] = readText(locateTally(file)).trimEnd().split(" ");
  if (run === undefined || hash === undefined) return null;
  const found = database.prepare("SELECT hash FROM entry WHERE run = ? AND seq = ?").get(run, Number(seq));
  if (found && toHex(found.hash as Uint8Array) === hash) return null;
  return found
    ? `what was written last, of run ${run}, was lost, and other things were written in its place`
    : `its last writes are missing, the newest of them of run ${run}: its log was deleted or cut off, or power was lost`;
}

/** Keeps what is found to be missing, so that it is known also after the store has gone on. */
export function recordLoss(database: DatabaseSync, file: string): void {
  const loss = findLoss(database, file);
  if (loss === null) return;
  appendFileSync(locateLosses(file), `${loss} (found ${new Date().toISOString()})\n`, { mode: 0o600 });
  dropTally(file);
}

/** What was ever found to be missing, and what is missing now. */
export function listLosses(database: DatabaseSync, file: string): string[] {
  const known = readText(locateLosses(file)).split("\n");
  const loss = findLoss(database, file);
  return [...known.filter((line) => line !== ""), ...(loss === null ? [] : [loss])];
}

function readText(file: string): string {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return "";
  }
}
