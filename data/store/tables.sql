-- The tables of a store, except the search index, which differs by database. run hardly changes; its holder and
-- journal length are in the small row of lease, which every entry updates. An entry's hash covers the previous
-- hash, which is not stored again. An entry lists the parts of its prompt (blocks): the id of a text shared between
-- runs (block), or the place in this run where its own text was first sent (texts). Times are milliseconds since
-- 1970; money is in billionths of a dollar, so that sums are exact.
CREATE TABLE run (
  place $serial,
  id $text NOT NULL UNIQUE,
  manifest text NOT NULL,
  pack text,
  case_id text,
  key text NOT NULL,
  batch text,
  status text NOT NULL,
  outcome text,
  created_at $text NOT NULL
);
CREATE INDEX run_by_key ON run (key);
CREATE INDEX run_by_batch ON run (batch, place) WHERE batch IS NOT NULL;
CREATE INDEX run_by_case ON run (case_id, place) WHERE case_id IS NOT NULL;
CREATE INDEX run_by_status ON run (status, place);
CREATE INDEX run_by_outcome ON run (outcome, place) WHERE outcome IS NOT NULL;
CREATE TABLE lease (
  run $text PRIMARY KEY,
  epoch integer NOT NULL DEFAULT 0,
  holder bigint,
  process text,
  free_at bigint,
  tries integer NOT NULL DEFAULT 0,
  head_hash text NOT NULL,
  entry_count integer NOT NULL DEFAULT 0,
  indexed integer NOT NULL DEFAULT 0
);
CREATE TABLE entry (
  run $text NOT NULL,
  seq integer NOT NULL,
  hash $bytes NOT NULL,
  body text NOT NULL,
  blocks text,
  texts text,
  PRIMARY KEY (run, seq)
);
CREATE INDEX entry_of_review ON entry (run) WHERE $isReview;
CREATE TABLE block (id $serial, hash $bytes NOT NULL UNIQUE, text text NOT NULL);
CREATE TABLE inbox (
  run $text PRIMARY KEY,
  since bigint NOT NULL,
  reviewer text,
  until bigint,
  closed integer NOT NULL DEFAULT 0
);
CREATE TABLE session (hash text PRIMARY KEY, role text NOT NULL, ends_ms bigint NOT NULL);
CREATE TABLE spend (
  name text PRIMARY KEY,
  calls bigint NOT NULL DEFAULT 0,
  tokens bigint NOT NULL DEFAULT 0,
  nano_usd bigint NOT NULL DEFAULT 0,
  max_calls bigint,
  max_tokens bigint,
  max_nano_usd bigint
);
CREATE TABLE vector (model text NOT NULL, hash text NOT NULL, data $bytes NOT NULL, PRIMARY KEY (model, hash));
