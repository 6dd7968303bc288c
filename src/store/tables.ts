import { inflateRawSync } from "node:zlib";
import type * as z from "zod";
import { ParleyError } from "../contract/error.ts";
import { type EntryBody, EntryBodySchema, type JournalEntry } from "../contract/journal.ts";
import { type Manifest, type Run, RunSchema } from "../contract/run.ts";
import { readConcludedReply } from "../engine/turn.ts";
import { isRecord } from "../text/json.ts";

/** Stores with another layout are refused. */
export const layoutVersion = 13;

export const reviewBegins = '{"kind":"review"';
export const isReview = `substr(body, 1, ${reviewBegins.length}) = '${reviewBegins}'`;

type ColumnTypes = { serial: string; text: string; bytes: string };

/**
 * The tables of a store, except the search index, which differs by database. `run` hardly changes; its holder and
 * journal length are in the small row of `lease`, which every entry updates. An entry's hash covers the previous
 * hash, which is not stored again. An entry lists the parts of its prompt (`blocks`): the id of a text shared between
 * runs (`block`), or the place in this run where its own text was first sent (`texts`). Times are milliseconds since
 * 1970; money is in billionths of a dollar, so that sums are exact.
 */
export const tablesOf = ({ serial, text, bytes }: ColumnTypes): string => `
CREATE TABLE run (
  place ${serial},
  id ${text} NOT NULL UNIQUE,
  manifest text NOT NULL,
  pack text,
  case_id text,
  key text NOT NULL,
  batch text,
  status text NOT NULL,
  outcome text,
  created_at ${text} NOT NULL
);
CREATE INDEX run_by_key ON run (key);
CREATE INDEX run_by_batch ON run (batch, place) WHERE batch IS NOT NULL;
CREATE INDEX run_by_case ON run (case_id, place) WHERE case_id IS NOT NULL;
CREATE INDEX run_by_status ON run (status, place);
CREATE INDEX run_by_outcome ON run (outcome, place) WHERE outcome IS NOT NULL;
CREATE TABLE lease (
  run ${text} PRIMARY KEY,
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
  run ${text} NOT NULL,
  seq integer NOT NULL,
  hash ${bytes} NOT NULL,
  body text NOT NULL,
  blocks text,
  texts text,
  PRIMARY KEY (run, seq)
);
CREATE INDEX entry_of_review ON entry (run) WHERE ${isReview};
CREATE TABLE block (id ${serial}, hash ${bytes} NOT NULL UNIQUE, text text NOT NULL);
CREATE TABLE inbox (
  run ${text} PRIMARY KEY,
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
CREATE TABLE vector (model text NOT NULL, hash text NOT NULL, data ${bytes} NOT NULL, PRIMARY KEY (model, hash));
`;

export type RunRow = {
  id: string;
  manifest: string;
  pack: string | null;
  case_id: string | null;
  key: string;
  batch: string | null;
  status: Run["status"];
  outcome: Run["outcome"];
  created_at: string;
  head_hash: string | null;
  entry_count: number;
};
export type EntryRow = { seq: number; hash: Uint8Array; body: Stored };
/** A part of a prompt: the id of a block, or the entry that first sent it and its index there. */
export type PromptPart = number | [seq: number, index: number];
export type LeaseRow = {
  run: string;
  epoch: number;
  holder: number | null;
  process: string | null;
  free_at: number | null;
  now: number;
};
export type BlockRow = { id: number; hash: Uint8Array; text: Stored };

export function runOf(row: RunRow): Run {
  if (row.head_hash === null)
    throw new ParleyError("corrupt_store", `run ${row.id} has lost the record of its progress`);
  const run = {
    id: row.id,
    manifest: parseStored(row.manifest, `run ${row.id}`),
    caseId: row.case_id,
    key: row.key,
    batch: row.batch,
    status: row.status,
    outcome: row.outcome,
    createdAt: row.created_at,
    headHash: row.head_hash,
    entryCount: row.entry_count,
  };
  const read = fitting(RunSchema, run, `run ${row.id}`);
  if (read.manifest.pack === row.pack) return read;
  throw new ParleyError("corrupt_store", `run ${row.id} is listed under another pack than it was started with`);
}

export function entriesOf(rows: readonly EntryRow[], runId: string, prev: string): JournalEntry[] {
  let before = prev;
  return rows.map(({ seq, hash: bytes, body }) => {
    const what = `entry ${seq} of run ${runId}`;
    const hash = toHex(bytes);
    const entry = { seq, prev: before, hash, body: fitting(EntryBodySchema, parseStored(body, what), what) };
    before = hash;
    return entry;
  });
}

export function toBytes(hash: string): Uint8Array {
  return Buffer.from(hash, "hex");
}

export function toHex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString("hex");
}

function fitting<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return value as T;
  throw new ParleyError(
    "corrupt_store",
    `${what} is not of a version that this Parley knows, or is damaged: ${issue.path.join(".") || "it"}: ${issue.message}`,
  );
}

export type Stored = string | Uint8Array;

export function unpack(stored: Stored): string {
  return typeof stored === "string" ? stored : inflateRawSync(stored).toString();
}

export function parseStored(stored: Stored, what: string): unknown {
  try {
    const text = unpack(stored);
    const value: unknown = JSON.parse(text);
    if (JSON.stringify(value) !== text) throw new Error("not as it was written");
    return value;
  } catch (cause) {
    throw new ParleyError("corrupt_store", `${what} is not readable: its stored JSON is damaged`, { cause });
  }
}

/** The longest indexed text of a case, reply or decision: a log of a gigabyte must not become an index of one. */
const longestText = 20_000;

export function listCaseText({ input }: Manifest): string {
  return joinTexts(input);
}

export function listEntryText(body: EntryBody): string {
  if (body.kind === "attempt") return body.conclusion === null ? "" : joinTexts(readConcludedReply(body));
  if (body.kind === "review") return joinTexts([body.ruling, body.reviewer]);
  return body.kind === "end" ? joinTexts([body.result.reasons, body.result.decision]) : "";
}

/** Splits a search into words; each must match the beginning of a word. */
export function requireSearchWords(text: string): string[] {
  const words = [...new Set(listWords(text))].slice(0, 20);
  if (words.length === 0) throw new ParleyError("bad_input", "text: give at least one word to search for");
  return words;
}

export function listWords(text: string): string[] {
  return text.toLowerCase().match(/[\p{L}\p{N}\p{M}]+/gu) ?? [];
}

function joinTexts(value: unknown): string {
  const texts: string[] = [];
  let left = longestText;
  const visit = (part: unknown): void => {
    if (left <= 0) return;
    if (typeof part === "string") {
      texts.push(part.slice(0, left));
      left -= part.length + 1;
    } else if (Array.isArray(part)) for (const item of part) visit(item);
    else if (isRecord(part)) for (const item of Object.values(part)) visit(item);
  };
  visit(value);
  return texts.join("\n");
}
