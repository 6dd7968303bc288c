import { hasCode, ParleyError } from "../contract/error.ts";
import type { EntryBody, JournalEntry } from "../contract/journal.ts";
import type { Manifest } from "../contract/run.ts";
import { sha256 } from "../engine/hash.ts";
import { chainAfter, genesis, type Journal, type Linked } from "../engine/journal.ts";
import { hashPrompt } from "../engine/prompt.ts";
import {
  type Connection,
  type Database,
  inStretches,
  joinSql,
  listOf,
  rawSql,
  rowsOf,
  type Sql,
  sql,
  GroupCommit,
  Patience,
  type PatienceOptions,
  type Write,
} from "./database.ts";
import { createLostLeaseError, describeThisProcess, type Holder, Leases } from "./lease.ts";
import {
  type BlockRow,
  entriesOf,
  type EntryRow,
  isReview,
  listCaseText,
  listEntryText,
  parseStored,
  requireSearchWords,
  runOf,
  type RunRow,
  toBytes,
  toHex,
  unpack,
} from "./tables.ts";
import { createLedger, createRecovery } from "./ledger.ts";
import { findProblems } from "./sql-upkeep.ts";
import {
  countedMatches,
  countedRuns,
  listPage,
  type NewRun,
  type Once,
  type PageFilter,
  type RunFilter,
  type RunPage,
  type Store,
} from "./store.ts";

export type SqlOptions = PatienceOptions & {
  self?: Holder;
};

export function sqlStore(database: Database, options: SqlOptions = {}): Store {
  const commits = new GroupCommit(database, new Patience(options));
  const leases = new Leases(commits, options.self ?? describeThisProcess());
  // In a damaged store an id may be anything.
  const ids = async (query: Sql): Promise<string[]> =>
    (await commits.read<{ id: unknown }>(query)).map(({ id }) => String(id));
  return {
    location: database.location,
    create: (run, once) => commits.add(run.id, (tx, again) => insertRun(database, tx, { run, once, again })),
    begin(run, once) {
      const { lease, columns } = leases.grant(run.id);
      const stored = commits.add(run.id, (tx, again) => insertRun(database, tx, { run, once, again, columns }));
      const forget = (): boolean => leases.forget(run.id, lease.epoch);
      return { lease, stored, journal: openJournal(commits, run.id, [], { epoch: lease.epoch, onEnded: forget }) };
    },
    async get(id) {
      const [row] = await commits.read<RunRow>(sql`${selectRuns} WHERE id = ${id}`);
      return row ? runOf(row) : null;
    },
    list: listPage((filter) => readPage(commits, filter)),
    page: (filter) => readPage(commits, filter),
    ids: (prefix = "") => ids(sql`SELECT id FROM run WHERE ${startsWith("id", prefix)} ORDER BY place`),
    reviewed: async () => (await ids(rawSql(`SELECT DISTINCT run AS id FROM entry WHERE ${isReview}`))).toSorted(),
    problems: () => commits.persist(() => findProblems(database)),
    setStatus: (id, { from, to, outcome }, lease) =>
      commits.add(id, async (tx) => {
        const isHeld = lease
          ? sql`EXISTS (SELECT 1 FROM lease WHERE run = ${id} AND epoch = ${lease.epoch})`
          : rawSql("1 = 1");
        const changed = await tx.run(
          sql`UPDATE run SET status = ${to}, outcome = ${outcome} WHERE id = ${id} AND status IN (${from}, ${to}) AND ${isHeld}`,
        );
        if (changed === 0) throw createLostLeaseError(id);
      }),
    async journal(id, lease) {
      const entries = entriesOf(await commits.read<EntryRow>(sql`${selectEntries(id)} ORDER BY seq`), id, genesis);
      const epoch = lease?.epoch ?? 0;
      return openJournal(commits, id, entries, { epoch, onEnded: () => leases.forget(id, epoch) });
    },
    async entriesAfter(id, seq, limit) {
      const rows = await commits.read<EntryRow>(
        sql`${selectEntries(id)} AND seq >= ${seq} ORDER BY seq LIMIT ${limit + 1}`,
      );
      const before = rows[0]?.seq === seq ? rows.shift() : undefined;
      return entriesOf(rows.slice(0, limit), id, before ? toHex(before.hash) : genesis);
    },
    lock: (id, { takeOver = false } = {}) => leases.take(id, takeOver),
    held: () => leases.list(),
    recovery: createRecovery(commits),
    ...createLedger(commits),
    async close() {
      await leases.close();
      await commits.idle();
      await database.close();
    },
  };
}

const selectRuns = rawSql(`SELECT id, manifest, pack, case_id, key, batch, status, outcome, created_at, head_hash,
  coalesce(entry_count, 0) AS entry_count FROM run LEFT JOIN lease ON lease.run = run.id`);

function startsWith(column: string, prefix: string): Sql {
  return sql`substr(${rawSql(column)}, 1, ${prefix.length}) = ${prefix}`;
}

type Inserted = { run: NewRun; once: Once | undefined; again: boolean; columns?: Sql };

async function insertRun(database: Database, tx: Connection, { run, once, again, columns }: Inserted): Promise<string> {
  const { id, manifest, caseId, key, batch, status, outcome, createdAt } = run;
  if (once) {
    // Two processes that check at the same moment would both find nothing.
    const lock = database.lockKey(key);
    if (lock) await tx.all(lock);
    const inBatch = once.batch === undefined ? rawSql("") : sql`AND batch = ${once.batch}`;
    const [same] = await tx.all<{ id: string }>(
      sql`SELECT id FROM run WHERE key = ${key} ${inBatch} ORDER BY place DESC LIMIT 1`,
    );
    if (same) return same.id;
  }
  const text = JSON.stringify(manifest);
  const made = await tx.run(
    sql`INSERT INTO run (id, manifest, pack, case_id, key, batch, status, outcome, created_at)
      VALUES ${listOf([id, text, manifest.pack, caseId, key, batch, status, outcome, createdAt])} ON CONFLICT (id) DO NOTHING`,
  );
  if (made === 0) {
    const same = sql`SELECT id FROM run WHERE id = ${id} AND manifest = ${text} AND created_at = ${createdAt}`;
    if (again && (await tx.all(same)).length === 1) return id;
    throw new ParleyError("store_failed", `there is a run ${id} in ${database.location} already`);
  }
  await tx.run(
    columns
      ? sql`INSERT INTO lease (run, head_hash, epoch, holder, process, free_at) VALUES (${id}, ${genesis}, ${columns})`
      : sql`INSERT INTO lease (run, head_hash) VALUES (${id}, ${genesis})`,
  );
  return id;
}

function whereOf(conditions: readonly Sql[]): Sql {
  return conditions.length === 0 ? rawSql("") : sql`WHERE ${joinSql(conditions, " AND ")}`;
}

async function readPage(commits: GroupCommit, filter: PageFilter): Promise<RunPage> {
  const { limit, after } = filter;
  if (filter.text !== undefined) await indexWords(commits);
  const wanted = listConditions(commits.database, filter);
  const before = after === undefined ? [] : [sql`place < (SELECT place FROM run WHERE id = ${after})`];
  const rows = await commits.read<RunRow>(
    sql`${selectRuns} ${whereOf([...wanted, ...before])} ORDER BY place DESC LIMIT ${Math.trunc(limit) + 1}`,
  );
  const bound = filter.text === undefined ? countedRuns : countedMatches;
  const isWhole = after === undefined && rows.length <= limit;
  const count = isWhole ? rows.length : await countRuns(commits, wanted, bound);
  const shown = rows.slice(0, limit);
  const damaged: RunPage["damaged"] = [];
  const runs = shown.flatMap((row) => {
    try {
      return [runOf(row)];
    } catch (error) {
      if (!hasCode(error, "corrupt_store")) throw error;
      damaged.push({ id: row.id, error });
      return [];
    }
  });
  const next = rows.length > limit ? (shown.at(-1)?.id ?? null) : null;
  return { runs, damaged, next, total: { count, exact: count < bound } };
}

function listConditions(database: Database, filter: RunFilter & Pick<PageFilter, "text">): Sql[] {
  const { caseId, idPrefix, from, to, text } = filter;
  return [
    ...(["pack", "batch", "key", "status", "outcome"] as const)
      .filter((column) => filter[column] !== undefined)
      .map((column) => sql`${rawSql(column)} = ${filter[column]}`),
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(idPrefix === undefined ? [] : [startsWith("id", idPrefix)]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
    ...(text === undefined ? [] : [database.hasWords(requireSearchWords(text))]),
  ];
}

/** How many runs are brought into the index at a time, so that a long catching up does not hold everything else up. */
const indexedAtOnce = 200;

/**
 * Brings the index of words up to date. It is done when somebody searches and not while debates run: an index that is
 * changed with every entry costs more than all the rest. `indexed` counts the case and the entries that are in it.
 */
async function indexWords(commits: GroupCommit): Promise<void> {
  const { database } = commits;
  for (;;) {
    const behind = await commits.read<{ run: string; indexed: number; entry_count: number; manifest: string }>(
      sql`SELECT lease.run AS run, indexed, entry_count, manifest FROM lease JOIN run ON run.id = lease.run
        WHERE indexed <= entry_count ORDER BY place LIMIT ${indexedAtOnce}`,
    );
    if (behind.length === 0 || database.isReadOnly) return;
    await commits.add("", async (tx) => {
      for (const { run, indexed, entry_count: count, manifest } of behind) {
        const texts =
          indexed === 0 ? [[0, readText(() => listCaseText(JSON.parse(manifest) as Manifest))] as const] : [];
        const rows = await tx.all<EntryRow>(
          sql`${selectEntries(run)} AND seq >= ${indexed - 1} AND seq < ${count} ORDER BY seq`,
        );
        const said = rows.map(
          ({ seq, body }) => [seq + 1, readText(() => listEntryText(JSON.parse(unpack(body)) as EntryBody))] as const,
        );
        for (const [part, text] of [...texts, ...said])
          if (text !== "") await tx.run(database.addWords(run, part, text));
        await tx.run(sql`UPDATE lease SET indexed = ${count + 1} WHERE run = ${run}`);
      }
    });
  }
}

/** Text that cannot be read counts as empty, so a search skips damaged rows. */
function readText(read: () => string): string {
  try {
    return read();
  } catch {
    return "";
  }
}

async function countRuns(commits: GroupCommit, wanted: readonly Sql[], bound: number): Promise<number> {
  const found = sql`SELECT 1 AS one FROM run ${whereOf(wanted)} LIMIT ${bound}`;
  const [row] = await commits.read<{ count: number }>(sql`SELECT count(*) AS count FROM (${found}) AS found`);
  return row?.count ?? 0;
}

type Waiting = Linked & { prompt: readonly string[] };
type Batch = { entries: Waiting[]; written: Promise<void> };

type Blocks = Map<string, number>;

function selectEntries(run: string): Sql {
  return sql`SELECT seq, hash, body FROM entry WHERE run = ${run}`;
}

function openJournal(
  commits: GroupCommit,
  id: string,
  entries: JournalEntry[],
  { epoch, onEnded }: { epoch: number; onEnded(): void },
): Journal {
  const { database } = commits;
  const link = chainAfter(entries);
  /** The blocks that a stored entry of this run lists: nobody removes them while the run is held. */
  const known: Blocks = new Map();
  let batch: Batch | null = null;
  let failure: { error: unknown } | null = null;

  const openBatch = (): Batch => {
    const opened: Batch = { entries: [], written: Promise.resolve() };
    const write: Write<Blocks> = (tx, again) => {
      if (batch === opened) batch = null;
      return writeEntries(database, tx, { id, epoch, waiting: opened.entries, known, again });
    };
    opened.written = commits.add(id, write).then(
      (added) => {
        for (const [text, block] of added) known.set(text, block);
        const last = opened.entries.at(-1)?.entry;
        if (last) database.noteEntry?.(id, last.seq, last.hash);
        if (last?.body.kind === "end") onEnded();
      },
      (error: unknown) => {
        failure ??= { error };
        throw error;
      },
    );
    return opened;
  };
  return {
    entries,
    append: async (body, prompt) => {
      if (failure) throw failure.error;
      batch ??= openBatch();
      batch.entries.push({ ...link(body), prompt });
      return batch.written;
    },
    prompt: createPromptReader(commits, id),
  };
}

type ToWrite = { id: string; epoch: number; waiting: readonly Waiting[]; known: Blocks; again: boolean };

async function writeEntries(
  database: Database,
  tx: Connection,
  { id, epoch, waiting, known, again }: ToWrite,
): Promise<Blocks> {
  const first = waiting[0]?.entry;
  const last = waiting.at(-1)?.entry;
  if (!first || !last) return new Map();
  // An ended run is nobody's: what its holder would give back next is given back with its end.
  const release = rawSql(last.body.kind === "end" ? ", holder = NULL" : "");
  const moved = await tx.run(
    sql`UPDATE lease SET head_hash = ${last.hash}, entry_count = ${last.seq + 1} ${release}
      WHERE run = ${id} AND epoch = ${epoch} AND entry_count = ${first.seq} AND head_hash = ${first.prev}`,
  );
  if (moved === 0) {
    if (again && (await isStored(tx, id, last))) return new Map();
    throw createLostLeaseError(id);
  }
  const texts = new Set(waiting.flatMap(({ prompt }) => prompt.filter((text) => !known.has(text))));
  const added = await insertBlocks(database, tx, [...texts]);
  const rows = waiting.map(({ entry: { seq, hash }, text, prompt }) => {
    const blocks = prompt.map((part) => known.get(part) ?? added.get(part));
    return [id, seq, toBytes(hash), database.pack(text), blocks.length === 0 ? null : JSON.stringify(blocks)];
  });
  for (const some of inStretches(rows))
    await tx.run(sql`INSERT INTO entry (run, seq, hash, body, blocks) VALUES ${rowsOf(some)}`);
  const end = waiting.map(({ entry }) => entry.body).findLast((body) => body.kind === "end");
  if (end) await tx.run(sql`UPDATE run SET status = 'finished', outcome = ${end.result.outcome} WHERE id = ${id}`);
  return added;
}

async function isStored(tx: Connection, id: string, { seq, hash }: { seq: number; hash: string }): Promise<boolean> {
  return (
    (await tx.all(sql`SELECT 1 AS one FROM entry WHERE run = ${id} AND seq = ${seq} AND hash = ${toBytes(hash)}`))
      .length > 0
  );
}

/**
 * Stores the texts that are not there yet and numbers them. They are stored as JSON: only so does half of a character come
 * back as it was. In the order of their names, so that two who store the same do not wait for each other in a circle.
 */
async function insertBlocks(database: Database, tx: Connection, texts: readonly string[]): Promise<Blocks> {
  const textOf = new Map(texts.map((text) => [sha256(text), text]));
  const blocks: Blocks = new Map();
  for (const hashes of inStretches([...textOf.keys()].sort())) {
    const rows = hashes.map((hash) => [toBytes(hash), database.pack(JSON.stringify(textOf.get(hash)))]);
    await tx.run(sql`INSERT INTO block (hash, text) VALUES ${rowsOf(rows)} ON CONFLICT (hash) DO NOTHING`);
    const found = await tx.all<Pick<BlockRow, "id" | "hash">>(
      sql`SELECT id, hash FROM block WHERE hash IN ${listOf(hashes.map(toBytes))}`,
    );
    for (const { id, hash } of found) blocks.set(textOf.get(toHex(hash)) ?? "", id);
  }
  return blocks;
}

function createPromptReader(commits: GroupCommit, run: string): Journal["prompt"] {
  const listed = new Map<string, string>();
  return async (hash) => {
    if (!listed.has(hash)) {
      const rows = await commits.read<EntryRow & { blocks: string }>(
        sql`SELECT seq, hash, body, blocks FROM entry WHERE run = ${run} AND blocks IS NOT NULL`,
      );
      for (const [index, { body }] of entriesOf(rows, run, genesis).entries())
        if (body.kind === "attempt") listed.set(body.promptHash, rows[index]?.blocks ?? "");
    }
    const blocks = listed.get(hash);
    return blocks === undefined ? null : readPrompt(commits, hash, blocks);
  };
}

async function readPrompt(commits: GroupCommit, hash: string, listed: string): Promise<string[] | null> {
  const what = `the prompt ${hash.slice(0, 12)}…`;
  const numbers = parseStored(listed, what) as number[];
  const texts = new Map<number, string>();
  let isSound = true;
  for (const some of inStretches([...new Set(numbers)])) {
    const rows = await commits.read<BlockRow>(sql`SELECT id, hash, text FROM block WHERE id IN ${listOf(some)}`);
    for (const { id, text, hash: name } of rows) {
      const said = String(parseStored(text, what));
      texts.set(id, said);
      isSound &&= sha256(said) === toHex(name);
    }
  }
  const prompt = numbers.flatMap((number) => texts.get(number) ?? []);
  if (prompt.length < numbers.length) return null;
  if (isSound && hashPrompt(prompt) === hash) return prompt;
  throw new ParleyError("corrupt_store", `${what} was changed after it was stored`);
}
