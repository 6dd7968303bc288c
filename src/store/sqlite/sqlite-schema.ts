import { dictionarySchema } from "./dictionaries.ts";
import { searchSchema } from "./sqlite-search.ts";

/** The layout of the store file; `user_version` tells which one a file has. */
export const schemaVersion = 8;

/** Pages are found by id, which sorts by time; each condition of a filter has its own index. */
export const pageIndexes = `
CREATE INDEX runs_by_pack ON runs (pack, id);
CREATE INDEX runs_by_batch ON runs (batch, id) WHERE batch IS NOT NULL;
CREATE INDEX runs_by_case ON runs (case_id, id) WHERE case_id IS NOT NULL;
CREATE INDEX runs_by_time ON runs (created_at, id);
CREATE INDEX progress_by_status ON progress (status, run_id);
CREATE INDEX progress_by_outcome ON progress (outcome, run_id) WHERE outcome IS NOT NULL;
`;

/** Keys are hashes, so runs are found by the beginning of one: whole ones fill so many pages that SQLite splits one for every few runs. */
export const keyIndex = `
CREATE INDEX runs_by_key ON runs (substr(key, 1, 12));
`;

/** Asks for a run's key by its index; takes the key twice. */
export const hasKey = "substr(key, 1, 12) = substr(?, 1, 12) AND key = ?";

/** Few runs are reviewed: those that were are found without reading every run. */
export const reviewIndex = `
CREATE INDEX progress_of_reviews ON progress (run_id) WHERE reviewed = 1;
`;

/** The stores that hold runs, each with the process it is opened in and the time until which its leases last. */
export const holders = `
CREATE TABLE holders (
  id INTEGER PRIMARY KEY,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  host TEXT NOT NULL,
  place TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;
`;

/**
 * Journals grow at the end of one table without an index: what a run appends at one moment is a chunk, and each chunk
 * leads to the one before it of its run. So a commit touches the last page and the run's row, whatever else is stored.
 */
export const chunks = `
CREATE TABLE chunks (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  before INTEGER,
  data ANY NOT NULL,
  base INTEGER
) STRICT;
${dictionarySchema}`;

/** What was found to be missing when the store was opened, and when. */
export const losses = `
CREATE TABLE losses (at TEXT NOT NULL, message TEXT NOT NULL) STRICT;
`;

/**
 * What a run was started with never changes; how far it has come is in a small row of its own, since every entry changes it.
 * An entry brings the pieces of prompts that its run needs from there on; the first piece of a prompt, its instructions,
 * is the same in many runs and is stored once for all of them.
 */
export const schema = `
CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  manifest TEXT NOT NULL,
  pack TEXT GENERATED ALWAYS AS (CASE WHEN json_valid(manifest) THEN manifest ->> '$.pack' END) VIRTUAL,
  case_id TEXT,
  key TEXT NOT NULL,
  batch TEXT,
  created_at TEXT NOT NULL
) STRICT;
${keyIndex}
CREATE TABLE progress (
  run_id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  outcome TEXT,
  head_hash TEXT NOT NULL,
  entry_count INTEGER NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  holder INTEGER,
  last INTEGER,
  reviewed INTEGER NOT NULL DEFAULT 0
) STRICT, WITHOUT ROWID;
${pageIndexes}
${reviewIndex}
${chunks}
${searchSchema}
CREATE TABLE instructions (
  hash TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
${holders}
${losses}
`;
