import { readFileSync } from "node:fs";
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

type ColumnTypes = Record<"serial" | "text" | "bytes", string>;

/** The tables of a store in the types of its database, without the search index, which differs by database. */
export function tablesOf(types: ColumnTypes): string {
  const tables = readFileSync(new URL("../../data/store/tables.sql", import.meta.url), "utf8");
  const words: Record<string, string> = { ...types, isReview };
  return tables.replaceAll(/\$(\w+)/g, (_, name: string) => words[name] ?? "");
}

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
