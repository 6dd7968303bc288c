import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { hasCode } from "../contract/error.ts";
import type { Run } from "../contract/run.ts";
import { countedMatches, countedRuns, type PageFilter, type RunPage } from "./run-page.ts";
import { type RunRow, runColumns, runOf } from "./sqlite-rows.ts";
import type { Search } from "./sqlite-search.ts";

/** A condition on runs by an index of its own: which table drives it, what is asked, and with what. */
type Condition = { table: "runs" | "progress"; id: "id" | "run_id"; where: string; values: SQLInputValue[] };

/** The conditions of a filter, those that leave fewest runs first. */
function listConditions({ pack, batch, caseId, status, outcome, from, to }: PageFilter): Condition[] {
  const runs = (where: string, ...values: SQLInputValue[]): Condition => ({ table: "runs", id: "id", where, values });
  const progress = (where: string, value: string): Condition => ({
    table: "progress",
    id: "run_id",
    where,
    values: [value],
  });
  return [
    ...(batch === undefined ? [] : [runs("batch = ?", batch)]),
    ...(caseId === undefined ? [] : [runs("case_id = ?", caseId)]),
    ...(outcome === undefined ? [] : [progress("outcome = ?", outcome)]),
    ...(status === undefined ? [] : [progress("status = ?", status)]),
    ...(pack === undefined ? [] : [runs("pack = ?", pack)]),
    ...(from === undefined ? [] : [runs("created_at >= ?", from)]),
    ...(to === undefined ? [] : [runs("created_at < ?", to)]),
  ];
}

/** The ids of a filter, newest first: one condition drives, each other is looked up in its own index. */
function idQuery(filter: PageFilter, limit: number): { sql: string; values: SQLInputValue[] } {
  const [first = { table: "runs", id: "id", where: "true", values: [] } satisfies Condition, ...others] =
    listConditions(filter);
  const id = `main.${first.id}`;
  const where = [first.where, ...others.map((one) => existsSql(one, id))];
  const values = [first, ...others].flatMap((one) => one.values);
  if (filter.after !== undefined) {
    where.push(`${id} < ?`);
    values.push(filter.after);
  }
  return {
    sql: `SELECT ${id} AS id FROM ${first.table} AS main WHERE ${where.join(" AND ")} ORDER BY ${id} DESC LIMIT ${limit}`,
    values,
  };
}

function existsSql({ table, id, where }: Condition, outer: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS other WHERE ${where} AND other.${id} = ${outer})`;
}

/** Pages of runs, by id and so by time; with words, in the order in which runs were stored. */
export function createPager(database: DatabaseSync, search: Search): (filter: PageFilter) => RunPage {
  const ids = (filter: PageFilter, limit: number): string[] =>
    filter.text === undefined ? listIds(database, filter, limit) : findIds(database, search, filter, limit);
  return (filter) => {
    const found = ids(filter, filter.limit + 1);
    const shown = found.slice(0, filter.limit);
    const bound = filter.text === undefined ? countedRuns : countedMatches;
    const isWhole = filter.after === undefined && found.length <= filter.limit;
    const count = isWhole ? found.length : countIds(database, search, filter, bound);
    const next = found.length > filter.limit ? (shown.at(-1) ?? null) : null;
    return { ...readRuns(database, shown), next, total: { count, exact: count < bound } };
  };
}

function listIds(database: DatabaseSync, filter: PageFilter, limit: number): string[] {
  const { sql, values } = idQuery(filter, limit);
  return (database.prepare(sql).all(...values) as { id: string }[]).map((row) => row.id);
}

function findIds(database: DatabaseSync, search: Search, filter: PageFilter, limit: number): string[] {
  const placeOf = database.prepare("SELECT rowid AS place FROM runs WHERE id = ?");
  const after = filter.after === undefined ? null : Number(placeOf.get(filter.after)?.place ?? 0);
  const conditions = listConditions(filter);
  const check = conditions.map((one) => ` AND ${existsSql(one, "runs.id")}`).join("");
  const idOf = database.prepare(`SELECT id FROM runs WHERE rowid = ?${check}`);
  const values = conditions.flatMap((one) => one.values);
  const found: string[] = [];
  for (const place of search.find(filter.text ?? "", after)) {
    const row = idOf.get(place, ...values);
    if (row) found.push(String(row.id));
    if (found.length === limit) break;
  }
  return found;
}

function countIds(database: DatabaseSync, search: Search, filter: PageFilter, bound: number): number {
  const all = { ...filter, after: undefined };
  if (filter.text !== undefined) return findIds(database, search, all, bound).length;
  const { sql, values } = idQuery(all, bound);
  const unordered = sql.replace(/ ORDER BY \S+ DESC/, "");
  return Number(database.prepare(`SELECT count(*) AS count FROM (${unordered})`).get(...values)?.count);
}

function readRuns(database: DatabaseSync, ids: readonly string[]): Pick<RunPage, "runs" | "damaged"> {
  const select = database.prepare(`${runColumns} WHERE id = ?`);
  const runs: Run[] = [];
  const damaged: RunPage["damaged"] = [];
  for (const id of ids) {
    const row = select.get(id) as RunRow | undefined;
    try {
      if (row) runs.push(runOf(row));
    } catch (error) {
      if (!hasCode(error, "corrupt_store")) throw error;
      damaged.push({ id, error });
    }
  }
  return { runs, damaged };
}
