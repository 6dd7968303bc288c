import { ParleyError } from "../contract/error.ts";
import type { EntryBody, JournalEntry } from "../contract/journal.ts";
import type { Run } from "../contract/run.ts";
import { chainAfter, genesis, type Journal, type Prompts } from "../engine/journal.ts";
import { createLostLeaseError, describeThisProcess, type HeldRun, type Lease, leaseMs } from "./lease.ts";
import { listCaseText, listEntryText, listWords, requireSearchWords } from "./tables.ts";
import { countedRuns, listPage, type PageFilter, type RunFilter, type RunPage, type Store } from "./store.ts";
import type { Ledger } from "./ledger.ts";

type Kept = { run: Run; entries: JournalEntry[]; bodies: EntryBody[]; epoch: number; isHeld: boolean };

/** A store in memory: the library's default. */
export function memoryStore(): Store {
  const runs = new Map<string, Kept>();
  const prompts: Prompts = new Map();
  const create: Store["create"] = async (run, once) => {
    const same =
      once &&
      [...runs.values()].findLast(
        ({ run: { key, batch } }) => key === run.key && (once.batch === undefined || batch === once.batch),
      );
    if (same) return same.run.id;
    if (runs.has(run.id)) throw new ParleyError("store_failed", `run ${run.id} exists already`);
    const kept = { entries: [], bodies: [], epoch: 0, isHeld: false };
    runs.set(run.id, { run: { ...run, headHash: genesis, entryCount: 0 }, ...kept });
    return run.id;
  };
  return {
    location: "memory",
    create,
    begin(run, once) {
      const stored = create(run, once);
      const kept = runs.get(run.id);
      const lease = kept ? takeKept(kept, false) : { epoch: 1, release: async () => undefined };
      return { lease, stored, journal: openKeptJournal(runs, run.id, { prompts, epoch: lease.epoch }) };
    },
    get: async (id) => {
      const kept = runs.get(id);
      return kept ? { ...linked(kept).run } : null;
    },
    list: listPage(async (filter) => pageOf([...runs.values()].map(linked), filter)),
    page: async (filter) => pageOf([...runs.values()].map(linked), filter),
    ids: async (prefix = "") => [...runs.keys()].filter((id) => id.startsWith(prefix)),
    reviewed: async () => {
      const kept = [...runs.values()].map(linked);
      return kept.filter(({ entries }) => entries.some(({ body }) => body.kind === "review")).map(({ run }) => run.id);
    },
    problems: async () => [],
    setStatus: async (id, { from, to, outcome }, lease) => {
      const kept = requireRun(runs, id);
      if (lease) requireNewest(kept, lease.epoch);
      if (kept.run.status !== from && kept.run.status !== to) throw createLostLeaseError(id);
      Object.assign(kept.run, { status: to, outcome });
    },
    journal: async (id, lease) => openKeptJournal(runs, id, { prompts, epoch: lease?.epoch ?? 0 }),
    entriesAfter: async (id, seq, limit) => {
      const kept = runs.get(id);
      return kept ? linked(kept).entries.slice(seq + 1, seq + 1 + limit) : [];
    },
    lock: async (id, { takeOver = false } = {}) => takeKept(requireRun(runs, id), takeOver),
    held: async () =>
      [...runs.values()]
        .filter(({ isHeld }) => isHeld)
        .map(
          ({ run, epoch }): HeldRun => ({
            run: run.id,
            epoch,
            holder: describeThisProcess(),
            state: "held",
            leftMs: leaseMs,
          }),
        )
        .toSorted((a, b) => (a.run < b.run ? -1 : 1)),
    ...createMemoryLedger(),
    close: async () => {},
  };
}

function requireRun(runs: Map<string, Kept>, id: string): Kept {
  const kept = runs.get(id);
  if (!kept) throw new ParleyError("unknown_run", `no run ${id} in this process`);
  return kept;
}

/** Takes a run. Only this process has it, so the lease lasts until it is given back or taken over. */
function takeKept(kept: Kept, takeOver: boolean): Lease {
  const { id } = kept.run;
  if (kept.isHeld && !takeOver) throw new ParleyError("run_locked", `run ${id} is already being run by this process`);
  kept.epoch += 1;
  kept.isHeld = true;
  const { epoch } = kept;
  return {
    epoch,
    release: async () => {
      if (kept.epoch === epoch) kept.isHeld = false;
    },
  };
}

function requireNewest(kept: Kept, epoch: number): void {
  if (kept.epoch !== epoch) throw createLostLeaseError(kept.run.id);
}

/**
 * The journal of a run with its current entries; that of an unknown run is empty and takes none. Not getters: V8
 * would keep them, and the debate they close over, until a full collection.
 */
function openKeptJournal(
  runs: Map<string, Kept>,
  id: string,
  { prompts, epoch }: { prompts: Prompts; epoch: number },
): Journal {
  const before = runs.get(id);
  return {
    entries: before ? [...linked(before).entries] : [],
    append: async (body, prompt) => {
      const kept = requireRun(runs, id);
      requireNewest(kept, epoch);
      const { run, bodies } = kept;
      if (body.kind === "attempt") prompts.set(body.promptHash, [...prompt]);
      bodies.push(body);
      if (body.kind === "end")
        Object.assign(run, { status: "finished", outcome: body.result.outcome } satisfies Partial<Run>);
    },
    prompt: async (hash) => prompts.get(hash) ?? null,
  };
}

/** Links the appended entries. Hashes are made on reading, so a run that is never read costs none. */
function linked(kept: Kept): Kept {
  const { run, entries, bodies } = kept;
  const link = chainAfter(entries);
  entries.push(...bodies.map((body) => link(body).entry));
  bodies.length = 0;
  run.headHash = entries.at(-1)?.hash ?? genesis;
  run.entryCount = entries.length;
  return kept;
}

function matches(run: Run, { from, to, ...filter }: RunFilter): boolean {
  const facts = { ...run, pack: run.manifest.pack };
  return (
    (["pack", "batch", "key", "caseId", "status", "outcome"] as const).every(
      (name) => filter[name] === undefined || filter[name] === facts[name],
    ) &&
    (from === undefined || run.createdAt >= from) &&
    (to === undefined || run.createdAt < to)
  );
}

function pageOf(kept: Kept[], filter: PageFilter): RunPage {
  const newest = kept.toReversed();
  const { after, limit } = filter;
  const place = after === undefined ? -1 : newest.findIndex(({ run }) => run.id === after);
  const found = newest.filter((one) => isOnPage(one, filter));
  const left = newest.slice(place + 1).flatMap((one) => (isOnPage(one, filter) ? [one.run] : []));
  const runs = left.slice(0, limit);
  const next = left.length > limit ? (runs.at(-1)?.id ?? null) : null;
  return { runs, next, total: { count: found.length, exact: found.length < countedRuns }, damaged: [] };
}

function isOnPage({ run, entries }: Kept, filter: PageFilter): boolean {
  const { text } = filter;
  if (!matches(run, filter)) return false;
  return (
    text === undefined ||
    hasWords([listCaseText(run.manifest), ...entries.map(({ body }) => listEntryText(body))], text)
  );
}

function hasWords(texts: string[], asked: string): boolean {
  const words = requireSearchWords(asked);
  return texts.some((text) => {
    const said = listWords(text);
    return words.every((word) => said.some((one) => one.startsWith(word)));
  });
}

function createMemoryLedger(): Ledger & Pick<Store, "recovery"> {
  let opened: Promise<Ledger> | null = null;
  const open = () => (opened ??= import("./sqlite.ts").then(({ openMemoryLedger }) => openMemoryLedger()));
  const tries = new Map<string, number>();
  return {
    inbox: lazily(async () => (await open()).inbox, ["see", "claim", "release", "settle"]),
    sessions: lazily(async () => (await open()).sessions, ["find", "keep"]),
    spending: lazily(async () => (await open()).spending, ["setLimits", "limited", "reserve", "settle"]),
    ...lazily<Pick<Ledger, "getVectors" | "putVectors">>(open, ["getVectors", "putVectors"]),
    recovery: {
      note: async (run) => void tries.set(run, (tries.get(run) ?? 0) + 1),
      list: async () => [...tries].map(([run, count]) => ({ run, tries: count })),
      forget: async (run) => void tries.delete(run),
    },
  };
}

function lazily<T extends object>(open: () => Promise<T>, names: readonly (keyof T)[]): T {
  const call =
    (name: keyof T) =>
    async (...given: unknown[]) =>
      ((await open())[name] as (...all: unknown[]) => unknown)(...given);
  return Object.fromEntries(names.map((name) => [name, call(name)])) as T;
}
