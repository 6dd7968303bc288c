/** The layout of the store file; `user_version` tells which one a file has. */
export const schemaVersion = 3;

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
CREATE INDEX runs_by_pack ON runs (pack);
CREATE INDEX runs_by_key ON runs (key);
CREATE INDEX runs_by_batch ON runs (batch);
CREATE TABLE progress (
  run_id TEXT PRIMARY KEY,
  status TEXT NOT NULL,
  outcome TEXT,
  head_hash TEXT NOT NULL,
  entry_count INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE entries (
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  pieces TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT;
CREATE TABLE instructions (
  hash TEXT PRIMARY KEY,
  text TEXT NOT NULL
) STRICT;
CREATE TABLE locks (
  run_id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  host TEXT NOT NULL,
  token TEXT NOT NULL
) STRICT;
`;
