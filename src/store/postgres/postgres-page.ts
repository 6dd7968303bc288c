import { type SelectQueryBuilder, sql } from "kysely";
import { hasCode } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { countedMatches, countedRuns, type PageFilter, type RunPage } from "../run-page.ts";
import { type RunRow, runOf } from "../sqlite/sqlite-rows.ts";
import type { RunFilter } from "../store.ts";
import type { Database, Tables } from "./database.ts";
import { makeWordQuery } from "./words.ts";

/** Runs with how far they have come. */
function selectRuns({ query }: Database) {
  return query
    .selectFrom("runs")
    .leftJoin("progress", (join) =>
      join.onRef("progress.run_id", "=", "runs.id").onRef("progress.place", "=", "runs.place"),
    );
}
type RunQuery = SelectQueryBuilder<Tables & { progress: Partial<Tables["progress"]> }, "runs" | "progress", object>;

const columns = [
  "id",
  "manifest",
  "case_id",
  "key",
  "batch",
  "status",
  "outcome",
  "created_at",
  "head_hash",
  "entry_count",
] as const;

/** The rows of a filter, newest first. */
export async function listRows(database: Database, filter: RunFilter): Promise<RunRow[]> {
  let query = selectRuns(database).select(columns).orderBy("runs.place", "desc");
  for (const name of ["pack", "batch", "key", "status"] as const) {
    const value = filter[name];
    if (value !== undefined) query = query.where(name, "=", value);
  }
  const { idPrefix, limit } = filter;
  if (idPrefix !== undefined) query = query.where(sql<boolean>`starts_with(id, ${idPrefix})`);
  if (limit !== undefined) query = query.limit(Math.trunc(limit));
  return (await query.execute()) as RunRow[];
}

/** The row of a run. */
export async function readRow(database: Database, id: string): Promise<RunRow | undefined> {
  return (await selectRuns(database).select(columns).where("id", "=", id).executeTakeFirst()) as RunRow | undefined;
}

/** A page of runs, in the order in which they were stored. */
export async function readPage(database: Database, filter: PageFilter): Promise<RunPage> {
  const { limit, after, text } = filter;
  const found = narrow(selectRuns(database), filter);
  let page = found
    .select(columns)
    .orderBy("runs.place", "desc")
    .limit(limit + 1);
  if (after !== undefined) page = page.where(sql<boolean>`runs.place < (SELECT place FROM runs WHERE id = ${after})`);
  const rows = (await page.execute()) as RunRow[];
  const bound = text === undefined ? countedRuns : countedMatches;
  const isWhole = after === undefined && rows.length <= limit;
  const count = isWhole ? rows.length : await countRows(database, found, bound);
  const shown = rows.slice(0, limit);
  const next = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
  return { ...readable(shown), next, total: { count, exact: count < bound } };
}

function narrow(query: RunQuery, filter: PageFilter): RunQuery {
  const { caseId, from, to, text } = filter;
  let found = query;
  for (const name of ["pack", "batch", "status", "outcome"] as const) {
    const value = filter[name];
    if (value !== undefined) found = found.where(name, "=", value);
  }
  if (caseId !== undefined) found = found.where("case_id", "=", caseId);
  if (from !== undefined) found = found.where("created_at", ">=", from);
  if (to !== undefined) found = found.where("created_at", "<", to);
  if (text === undefined) return found;
  return found.where(sql<boolean>`id IN (SELECT run_id FROM search WHERE words @@ ${makeWordQuery(text)}::tsquery)`);
}

async function countRows({ query }: Database, found: RunQuery, bound: number): Promise<number> {
  const { count } = await query
    .selectFrom(found.select(sql`1`.as("one")).limit(bound).as("found"))
    .select(sql<number>`count(*)::integer`.as("count"))
    .executeTakeFirstOrThrow();
  return count;
}

function readable(rows: RunRow[]): Pick<RunPage, "runs" | "damaged"> {
  const runs: Run[] = [];
  const damaged: RunPage["damaged"] = [];
  for (const row of rows)
    try {
      runs.push(runOf(row));
    } catch (error) {
      if (!hasCode(error, "corrupt_store")) throw error;
      damaged.push({ id: row.id, error });
    }
  return { runs, damaged };
}
