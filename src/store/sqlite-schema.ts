/** The layout of the store file; `user_version` tells which one a file has. */
export const schemaVersion = 1;

export const schema = `
CREATE TABLE runs (
  id TEXT PRIMARY KEY,
  manifest TEXT NOT NULL,
  pack TEXT GENERATED ALWAYS AS (CASE WHEN json_valid(manifest) THEN manifest ->> '$.pack' END) VIRTUAL,
  case_id TEXT,
  key TEXT NOT NULL,
  batch TEXT,
  status TEXT NOT NULL,
  outcome TEXT,
  created_at TEXT NOT NULL,
  head_hash TEXT NOT NULL,
  entry_count INTEGER NOT NULL
) STRICT;
CREATE INDEX runs_by_pack ON runs (pack);
CREATE INDEX runs_by_key ON runs (key);
CREATE INDEX runs_by_batch ON runs (batch);
CREATE TABLE entries (
  run_id TEXT NOT NULL,
  seq INTEGER NOT NULL,
  prev TEXT NOT NULL,
  hash TEXT NOT NULL,
  body TEXT NOT NULL,
  PRIMARY KEY (run_id, seq)
) STRICT, WITHOUT ROWID;
CREATE TABLE pieces (
  hash TEXT PRIMARY KEY,
  parent TEXT,
  text TEXT NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE locks (
  run_id TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  started TEXT NOT NULL,
  host TEXT NOT NULL,
  token TEXT NOT NULL
) STRICT;
`;
