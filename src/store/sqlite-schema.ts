import { searchSchema } from "./sqlite-search.ts";

/** The layout of the store file; `user_version` tells which one a file has. */
export const schemaVersion = 5;

/** Pages are found by id, which sorts by time; each condition of a filter has its own index. */
const pageIndexes = `
CREATE INDEX runs_by_pack ON runs (pack, id);
CREATE INDEX runs_by_batch ON runs (batch, id) WHERE batch IS NOT NULL;
CREATE INDEX runs_by_case ON runs (case_id, id) WHERE case_id IS NOT NULL;
CREATE INDEX runs_by_time ON runs (created_at, id);
CREATE INDEX progress_by_status ON progress (status, run_id);
CREATE INDEX progress_by_outcome ON progress (outcome, run_id) WHERE outcome IS NOT NULL;
`;

/** Few runs are reviewed: those that were are found without reading every entry. */
const reviewIndex = `
CREATE INDEX entries_of_reviews ON entries (run_id) WHERE substr(body, 1, 16) = '{"kind":"review"';
`;

/** The stores that hold runs, each with the process it is opened in and the time until which its leases last. */
const holders = `
CREATE TABLE holders (
  id INTEGER PRIMARY KEY,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  host TEXT NOT NULL,
  place TEXT NOT NULL,
  until INTEGER NOT NULL
) STRICT;
`;

/** How a store of an older layout becomes one of the next; what is in it stays. */
export const upgrades: Record<number, string> = {
  3: `DROP INDEX runs_by_pack; DROP INDEX runs_by_batch; ${pageIndexes} ${reviewIndex} ${searchSchema}`,
  4: `ALTER TABLE progress ADD COLUMN epoch INTEGER NOT NULL DEFAULT 0; ALTER TABLE progress ADD COLUMN holder INTEGER;
    DROP TABLE locks; ${holders}`,
};

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
CREATE INDEX runs_by_key ON runs (key);
CREATE TABLE progress (
  run_id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  outcome TEXT,
  head_hash TEXT NOT NULL,
  entry_count INTEGER NOT NULL,
  epoch INTEGER NOT NULL DEFAULT 0,
  holder INTEGER
) STRICT, WITHOUT ROWID;
${pageIndexes}
${searchSchema}
CREATE TABLE entries (
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  pieces TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT;
${reviewIndex}
CREATE TABLE instructions (
  hash TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
${holders}`;
