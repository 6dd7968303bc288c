import { statSync } from "node:fs";
import type { DatabaseSync } from "node:sqlite";
import { schemaVersion } from "../sqlite/sqlite-schema.ts";
import { forgetWords, shrink, workOnFile } from "./open-for-upkeep.ts";

/** What a store holds and what it takes. */
export type StoreFacts = {
  layout: number;
  runs: number;
  byStatus: Record<string, number>;
  entries: number;
  oldest: string | null;
  newest: string | null;
  fileBytes: number;
  logBytes: number;
  /** What compacting would free, at least. */
  freeBytes: number;
};

/** Counts what is in a store file. */
export function readStoreFacts(file: string): StoreFacts {
  return workOnFile(file, (database) => {
    const { runs, oldest, newest } = database
      .prepare("SELECT count(*) AS runs, min(created_at) AS oldest, max(created_at) AS newest FROM runs")
      .get() as { runs: number; oldest: string | null; newest: string | null };
    const statuses = database.prepare("SELECT status, count(*) AS count FROM progress GROUP BY status").all();
    const entries = Number(database.prepare("SELECT coalesce(sum(entry_count), 0) AS n FROM progress").get()?.n);
    return {
      layout: schemaVersion,
      runs,
      byStatus: Object.fromEntries(statuses.map(({ status, count }) => [String(status), Number(count)])),
      entries,
      oldest,
      newest,
      fileBytes: sizeOf(file),
      logBytes: sizeOf(`${file}-wal`),
      freeBytes: readPragma(database, "freelist_count") * readPragma(database, "page_size"),
    };
  });
}

/** Gives unused space back and lays the file out anew; says how large it was and is. */
export function compactStore(file: string): { before: number; after: number; isClean: boolean } {
  const before = sizeOf(file) + sizeOf(`${file}-wal`);
  const isClean = workOnFile(file, (database) => {
    forgetWords(database);
    return shrink(database);
  });
  return { before, after: sizeOf(file) + sizeOf(`${file}-wal`), isClean };
}

function sizeOf(file: string): number {
  return statSync(file, { throwIfNoEntry: false })?.size ?? 0;
}

function readPragma(database: DatabaseSync, name: "freelist_count" | "page_size"): number {
  return Number(database.prepare(`PRAGMA ${name}`).get()?.[name]);
}
