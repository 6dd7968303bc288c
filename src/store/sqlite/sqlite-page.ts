import type { DatabaseSync, SQLInputValue } from "node:sqlite";
import { hasCode } from "../../contract/error.ts";
import type { Run } from "../../contract/run.ts";
import { countedMatches, countedRuns, type PageFilter, type RunPage } from "../run-page.ts";
import { type RunRow, runColumns, runOf } from "./sqlite-rows.ts";
import type { Search } from "./sqlite-search.ts";

/** A condition on runs by an index of its own: which table drives it, what is asked, and with what. */
type Condition = {
  table: "runs" | "progress";
  id: "id" | "run_id";
  where: string;
  values: SQLInputValue[];
  /** The order of its index, where that is another than by id; ids follow time as far as the clock does. */
  order?: readonly string[];
};

/** Without a condition runs come in the order in which they were stored, whatever the clock said. */
const everyRun: Condition = { table: "runs", id: "id", where: "true", values: [], order: ["main.rowid"] };

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
    ...(from === undefined && to === undefined ? [] : [inTime(from, to)]),
  ];
}

/** One stretch of time is one condition: two would be looked up run by run. */
function inTime(from = "", to = "~"): Condition {
  const where = "created_at >= ? AND created_at < ?";
  return { table: "runs", id: "id", where, values: [from, to], order: ["created_at", "id"] };
}

/** The ids of a filter, newest first: one condition drives, each other is looked up in its own index. */
function idQuery(filter: PageFilter, limit: number): { sql: string; values: SQLInputValue[] } {
  const [first = everyRun, ...others] = listConditions(filter);
  const id = `main.${first.id}`;
  const order = first.order ?? [id];
  const where = [first.where, ...others.map((one) => existsSql(one, id))];
  const values = [first, ...others].flatMap((one) => one.values);
  if (filter.after !== undefined) {
    where.push(`(${order.join(", ")}) < (SELECT ${order.join(", ")} FROM ${first.table} AS main WHERE ${id} = ?)`);
    values.push(filter.after);
  }
  const newest = order.map((column) => `${column} DESC`).join(", ");
  return {
    sql: `SELECT ${id} AS id FROM ${first.table} AS main WHERE ${where.join(" AND ")} ORDER BY ${newest} LIMIT ${limit}`,
    values,
  };
}

function existsSql({ table, id, where }: Condition, outer: string): string {
  return `EXISTS (SELECT 1 FROM ${table} AS other WHERE ${where} AND other.${id} = ${outer})`;
}

/** Pages of runs, newest first; all of them, and those with words, in the order in which they were stored. */
export function createPager(database: DatabaseSync, search: Search): (filter: PageFilter) => RunPage {
  const counts = createCounts();
  return (filter) => {
    const { ids, count, bound } = filter.text === undefined ? listPage(filter) : findPage(filter);
    const shown = ids.slice(0, filter.limit);
    const next = ids.length > filter.limit ? (shown.at(-1) ?? null) : null;
    return { ...readRuns(database, shown), next, total: { count, exact: count < bound } };
  };

  function listPage(filter: PageFilter) {
    const ids = listIds(database, filter, filter.limit + 1);
    const isWhole = filter.after === undefined && ids.length <= filter.limit;
    return { ids, count: isWhole ? ids.length : countIds(database, filter), bound: countedRuns };
  }

  /** The index is asked once for a first page and its count: to begin is what costs most there. */
  function findPage(filter: PageFilter) {
    const bound = countedMatches;
    const isFirst = filter.after === undefined;
    const ids = findIds(database, search, filter, isFirst ? Math.max(bound, filter.limit + 1) : filter.limit + 1);
    const count = counts.keep(filter, () =>
      Math.min(bound, isFirst ? ids.length : findIds(database, search, { ...filter, after: undefined }, bound).length),
    );
    return { ids, count, bound };
  }
}

/** The most searches whose count is remembered. */
const rememberedCounts = 50;

/** Remembers how many runs a search found on its first page: that does not change from page to page. */
function createCounts(): { keep(filter: PageFilter, count: () => number): number } {
  const kept = new Map<string, number>();
  return {
    keep({ after, ...filter }, count) {
      const name = JSON.stringify({ ...filter, limit: 0 });
      const found = (after === undefined ? undefined : kept.get(name)) ?? count();
      kept.delete(name);
      kept.set(name, found);
      const [oldest = ""] = kept.keys();
      if (kept.size > rememberedCounts) kept.delete(oldest);
      return found;
    },
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
  const only = {
    sql: conditions.map((one) => existsSql(one, "runs.id")).join(" AND ") || "true",
    values: conditions.flatMap((one) => one.values),
  };
  const found: string[] = [];
  for (const id of search.find(filter.text ?? "", after, only)) {
    found.push(id);
    if (found.length === limit) break;
  }
  return found;
}

function countIds(database: DatabaseSync, filter: PageFilter): number {
  const { sql, values } = idQuery({ ...filter, after: undefined }, countedRuns);
  const unordered = sql.replace(/ ORDER BY .* LIMIT/, " LIMIT");
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
