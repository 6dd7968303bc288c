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
  type PromptPart,
  requireSearchWords,
  runOf,
  type RunRow,
  type Stored,
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
      const insert: Write<string> = (tx, again) => insertRun(database, tx, { run, once, again, columns });
      const stored = once ? commits.add(run.id, insert) : commits.addNew(run.id, insert).then(() => run.id);
      const forget = (): boolean => leases.forget(run.id, lease.epoch);
      return {
        lease,
        stored,
        journal: openJournal(commits, run.id, [], { epoch: lease.epoch, onEnded: forget, isNew: !once }),
      };
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
      const rows = await commits.read<EntryRow>(sql`${selectEntries(id)} AND seq > ${seq} ORDER BY seq LIMIT ${limit}`);
      return entriesOf(rows, id, genesis);
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
    // Otherwise two processes checking at the same moment would both find nothing.
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
    throw new ParleyError("store_failed", `run ${id} is already in ${database.location}`);
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
  const { caseId, from, to, text } = filter;
  return [
    ...(["pack", "batch", "key", "status", "outcome"] as const)
      .filter((column) => filter[column] !== undefined)
      .map((column) => sql`${rawSql(column)} = ${filter[column]}`),
    ...(caseId === undefined ? [] : [sql`case_id = ${caseId}`]),
    ...(from === undefined ? [] : [sql`created_at >= ${from}`]),
    ...(to === undefined ? [] : [sql`created_at < ${to}`]),
    ...(text === undefined ? [] : [database.hasWords(requireSearchWords(text))]),
  ];
}

/** Runs indexed at a time, so that catching up does not block everything else. */
const indexedAtOnce = 200;

/**
 * Updates the search index, on searching rather than during debates: updating it with every entry would cost more
 * than everything else. `indexed` counts the indexed case and entries.
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

/** Unreadable text counts as empty, so a search skips damaged rows. */
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
type Batch = { entries: Parameters<Journal["append"]>[]; written: Promise<void> };

type Parts = Map<string, PromptPart>;

function selectEntries(run: string): Sql {
  return sql`SELECT seq, hash, body FROM entry WHERE run = ${run}`;
}

function openJournal(
  commits: GroupCommit,
  id: string,
  entries: JournalEntry[],
  { epoch, onEnded, isNew }: { epoch: number; onEnded(): void; isNew?: boolean },
): Journal {
  const { database } = commits;
  const link = chainAfter(entries);
  /** Parts listed by stored entries of this run; nobody removes them while the run is held. */
  const known: Parts = new Map();
  let batch: Batch | null = null;

  const openBatch = (): Batch => {
    const opened: Batch = { entries: [], written: Promise.resolve() };
    let linked: Waiting[] | null = null;
    const write: Write<Parts> = (tx, again) => {
      if (batch === opened) batch = null;
      linked ??= opened.entries.map(([body, prompt]) => ({ ...link(body), prompt }));
      return writeEntries(database, tx, { id, epoch, waiting: linked, known, again });
    };
    // After an entry that could not be stored, every later one is refused: it does not follow the stored head.
    const done = (added: Parts): void => {
      for (const [text, part] of added) known.set(text, part);
      if (opened.entries.at(-1)?.[0].kind === "end") onEnded();
    };
    opened.written = isNew ? commits.addNew(id, write, done) : commits.add(id, write).then(done);
    return opened;
  };
  return {
    entries,
    append: async (...entry) => {
      batch ??= openBatch();
      batch.entries.push(entry);
      return batch.written;
    },
    prompt: createPromptReader(commits, id),
  };
}

type ToWrite = { id: string; epoch: number; waiting: readonly Waiting[]; known: Parts; again: boolean };

async function writeEntries(
  database: Database,
  tx: Connection,
  { id, epoch, waiting, known, again }: ToWrite,
): Promise<Parts> {
  const first = waiting[0]?.entry;
  const last = waiting.at(-1)?.entry;
  if (!first || !last) return new Map();
  // An ended run has no holder, so its lease is released with the end entry.
  const release = rawSql(last.body.kind === "end" ? ", holder = NULL" : "");
  const moved = await tx.run(
    sql`UPDATE lease SET head_hash = ${last.hash}, entry_count = ${last.seq + 1} ${release}
      WHERE run = ${id} AND epoch = ${epoch} AND head_hash = ${first.prev}`,
  );
  if (moved === 0) {
    if (again && (await isStored(tx, id, last))) return new Map();
    throw createLostLeaseError(id);
  }
  const common = waiting.flatMap(({ prompt }) => prompt.filter((text, at) => !known.has(text) && isCommon(prompt, at)));
  const added: Parts = await findBlocks(database, tx, new Set(common));
  const rows = waiting.map(({ entry: { seq, hash }, text, prompt }) => {
    const own: string[] = [];
    const parts = prompt.map((part) => {
      const there = known.get(part) ?? added.get(part);
      if (there !== undefined) return there;
      const place: PromptPart = [seq, own.push(part) - 1];
      added.set(part, place);
      return place;
    });
    const pack = (list: readonly unknown[]) => (list.length === 0 ? null : database.pack(JSON.stringify(list)));
    return [id, seq, toBytes(hash), database.pack(text), parts.length === 0 ? null : JSON.stringify(parts), pack(own)];
  });
  for (const some of inStretches(rows))
    await tx.run(sql`INSERT INTO entry (run, seq, hash, body, blocks, texts) VALUES ${rowsOf(some)}`);
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

/** Texts of this length are worth sharing between runs. */
const commonFrom = 1_000;

/** True for parts that other runs may share: the instructions, the speaker's own part, and anything long. */
function isCommon(prompt: readonly string[], at: number): boolean {
  return at === 0 || at === prompt.length - 1 || (prompt[at]?.length ?? 0) >= commonFrom;
}

/**
 * The ids of texts shared between runs; missing ones are stored, as JSON so that lone surrogates survive. Sorted by
 * hash, so that two writers cannot deadlock.
 */
async function findBlocks(database: Database, tx: Connection, texts: ReadonlySet<string>): Promise<Parts> {
  if (texts.size === 0) return new Map();
  const known = database.knownBlocks?.() ?? new Map<string, number>();
  const blocks: Parts = new Map([...texts].flatMap((text) => (known.has(text) ? [[text, known.get(text) ?? 0]] : [])));
  const textOf = new Map([...texts].filter((text) => !known.has(text)).map((text) => [sha256(text), text]));
  const find = async (hashes: readonly string[]): Promise<string[]> => {
    const found = await tx.all<Pick<BlockRow, "id" | "hash">>(
      sql`SELECT id, hash FROM block WHERE hash IN ${listOf(hashes.map(toBytes))} ${database.keepBlocks}`,
    );
    for (const { id, hash } of found) blocks.set(textOf.get(toHex(hash)) ?? "", id);
    return hashes.filter((hash) => !blocks.has(textOf.get(hash) ?? ""));
  };
  for (const hashes of inStretches([...textOf.keys()].sort())) {
    const missing = await find(hashes);
    for (const [text, id] of blocks) known.set(text, id as number);
    if (missing.length === 0) continue;
    const rows = missing.map((hash) => [toBytes(hash), database.pack(JSON.stringify(textOf.get(hash)))]);
    await tx.run(sql`INSERT INTO block (hash, text) VALUES ${rowsOf(rows)} ON CONFLICT (hash) DO NOTHING`);
    await find(missing);
  }
  return blocks;
}

function createPromptReader(commits: GroupCommit, run: string): Journal["prompt"] {
  const listed = new Map<string, string>();
  const own = new Map<string, string>();
  return async (hash) => {
    if (!listed.has(hash)) {
      const rows = await commits.read<EntryRow & { blocks: string; texts: Stored | null }>(
        sql`SELECT seq, hash, body, blocks, texts FROM entry WHERE run = ${run} AND blocks IS NOT NULL`,
      );
      for (const [index, { seq, body }] of entriesOf(rows, run, genesis).entries()) {
        const { blocks = "", texts = null } = rows[index] ?? {};
        if (body.kind === "attempt") listed.set(body.promptHash, blocks);
        const said = texts === null ? [] : (parseStored(texts, `the prompt of entry ${seq} of run ${run}`) as string[]);
        for (const [at, text] of said.entries()) own.set(`${seq},${at}`, text);
      }
    }
    const blocks = listed.get(hash);
    return blocks === undefined ? null : readPrompt(commits, hash, blocks, own);
  };
}

async function readPrompt(
  commits: GroupCommit,
  hash: string,
  listed: string,
  own: ReadonlyMap<string, string>,
): Promise<string[] | null> {
  const what = `the prompt ${hash.slice(0, 12)}…`;
  const parts = parseStored(listed, what) as PromptPart[];
  const texts = new Map(own);
  let isSound = true;
  for (const some of inStretches([...new Set(parts.filter((part) => typeof part === "number"))])) {
    const rows = await commits.read<BlockRow>(sql`SELECT id, hash, text FROM block WHERE id IN ${listOf(some)}`);
    for (const { id, text, hash: name } of rows) {
      const said = String(parseStored(text, what));
      texts.set(String(id), said);
      isSound &&= sha256(said) === toHex(name);
    }
  }
  const prompt = parts.flatMap((part) => texts.get(String(part)) ?? []);
  if (prompt.length < parts.length) return null;
  if (isSound && hashPrompt(prompt) === hash) return prompt;
  throw new ParleyError("corrupt_store", `${what} was changed after it was stored`);
}
