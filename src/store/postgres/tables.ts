/**
 * The tables of a shared store, as they were first laid out. As in the SQLite store, what a run was started with never
 * changes and how far it has come is in a small row of its own, which also says who plays the run. A holder's leases
 * last until a time on the database's clock: no other clock counts.
 */
export const tables = `
CREATE TABLE runs (
  id text COLLATE "C" PRIMARY KEY,
  place bigint GENERATED ALWAYS AS IDENTITY UNIQUE,
  manifest text NOT NULL,
  pack text,
  case_id text,
  key text NOT NULL,
  batch text,
  created_at text COLLATE "C" NOT NULL
);
CREATE INDEX runs_by_key ON runs (key);
CREATE INDEX runs_by_pack ON runs (pack, place);
CREATE INDEX runs_by_batch ON runs (batch, place) WHERE batch IS NOT NULL;
CREATE INDEX runs_by_case ON runs (case_id, place) WHERE case_id IS NOT NULL;
CREATE INDEX runs_by_time ON runs (created_at, place);
CREATE TABLE progress (
  run_id text COLLATE "C" PRIMARY KEY,
  place bigint NOT NULL,
  status text NOT NULL,
  outcome text,
  head_hash text NOT NULL,
  entry_count integer NOT NULL,
  epoch integer NOT NULL DEFAULT 0,
  holder bigint
) WITH (fillfactor = 70);
CREATE INDEX progress_by_holder ON progress (holder) WHERE holder IS NOT NULL;
CREATE TABLE holders (
  id bigint PRIMARY KEY,
  facts text NOT NULL,
  until timestamptz NOT NULL
);
CREATE INDEX progress_by_status ON progress (status, place);
CREATE INDEX progress_by_outcome ON progress (outcome, place) WHERE outcome IS NOT NULL;
CREATE TABLE entries (
  run_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  prev text NOT NULL,
  hash text NOT NULL,
  body text NOT NULL,
  pieces text NOT NULL,
  PRIMARY KEY (run_id, seq)
);
CREATE INDEX entries_of_reviews ON entries (run_id) WHERE left(body, 16) = '{"kind":"review"';
CREATE TABLE instructions (hash text PRIMARY KEY, text text NOT NULL);
CREATE TABLE search (
  run_id text COLLATE "C" NOT NULL,
  seq integer NOT NULL,
  words tsvector NOT NULL,
  PRIMARY KEY (run_id, seq)
);
CREATE TABLE workers (id bigint PRIMARY KEY, facts text NOT NULL, seen timestamptz NOT NULL);
CREATE TABLE pauses (pack text PRIMARY KEY);
CREATE INDEX search_by_words ON search USING gin (words) WITH (fastupdate = off);
`;
