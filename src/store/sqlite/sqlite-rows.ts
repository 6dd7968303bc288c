import type { SQLInputValue } from "node:sqlite";
import { hasCode, ParleyError } from "../../contract/error.ts";
import type * as z from "zod";
import { EntryBodySchema, type JournalEntry } from "../../contract/journal.ts";
import { type Run, RunSchema } from "../../contract/run.ts";
import type { OnDamaged, RunFilter } from "../store.ts";
import { hasKey } from "./sqlite-schema.ts";

export type RunRow = {
  id: string;
  manifest: string;
  case_id: string | null;
  key: string;
  batch: string | null;
  status: Run["status"] | null;
  outcome: Run["outcome"];
  created_at: string;
  head_hash: string;
  entry_count: number;
};
export type EntryRow = { seq: number; prev: string; hash: string; body: string };

/** Reads runs with how far they have come. */
export const runColumns = `SELECT id, manifest, case_id, key, batch, status, outcome, created_at, head_hash, entry_count
  FROM runs LEFT JOIN progress ON progress.run_id = runs.id`;

/** The query of a filter, newest first. */
export function listQuery(filter: RunFilter): { sql: string; values: SQLInputValue[] } {
  const columns = { pack: filter.pack, batch: filter.batch, status: filter.status };
  const wanted = Object.entries(columns).filter((pair): pair is [string, string] => pair[1] !== undefined);
  const where = wanted.map(([column]) => `${column} = ?`);
  const values: SQLInputValue[] = wanted.map(([, value]) => value);
  if (filter.key !== undefined) {
    where.push(hasKey);
    values.push(filter.key, filter.key);
  }
  if (filter.idPrefix !== undefined) {
    where.push("substr(id, 1, ?) = ?");
    values.push(filter.idPrefix.length, filter.idPrefix);
  }
  const limit = filter.limit === undefined ? "" : ` LIMIT ${Math.trunc(filter.limit)}`;
  return {
    sql: `${runColumns} ${where.length > 0 ? `WHERE ${where.join(" AND ")}` : ""} ORDER BY runs.rowid DESC${limit}`,
    values,
  };
}

/** The run of a row, as a list; empty when it can no longer be read and somebody wants to hear of that, else an error. */
export function readRun(row: RunRow, onDamaged?: OnDamaged): Run[] {
  try {
    return [runOf(row)];
  } catch (error) {
    if (!onDamaged || !hasCode(error, "corrupt_store")) throw error;
    onDamaged(row.id, error);
    return [];
  }
}

/** A run as it was stored. */
export function runOf(row: RunRow): Run {
  if (row.status === null)
    throw new ParleyError("corrupt_store", `run ${row.id} has lost the record of how far it has come`);
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
  return fitting(RunSchema, run, `run ${row.id}`);
}

/** A journal entry as it was stored. */
export function entryOf(row: EntryRow, runId: string): JournalEntry {
  const what = `entry ${row.seq} of run ${runId}`;
  const { seq, prev, hash } = row;
  return { seq, prev, hash, body: fitting(EntryBodySchema, parseStored(row.body, what), what) };
}

/** The value itself, when it is what the schema says. */
export function fitting<T>(schema: z.ZodType<T>, value: unknown, what: string): T {
  const [issue] = schema.safeParse(value).error?.issues ?? [];
  if (issue === undefined) return value as T;
  throw new ParleyError(
    "corrupt_store",
    `${what} is not of a version that this Parley knows, or is damaged: ${issue.path.join(".") || "it"}: ${issue.message}`,
  );
}

/** Reads stored JSON; a text that is not exactly as it was written is damaged. */
export function parseStored(text: string, what: string): unknown {
  try {
    const value: unknown = JSON.parse(text);
    if (JSON.stringify(value) !== text) throw new Error("not as it was written");
    return value;
  } catch (cause) {
    throw new ParleyError("corrupt_store", `${what} is not readable: its stored JSON is damaged`, { cause });
  }
}
