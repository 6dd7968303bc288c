import type { Budget, WorstCase } from "../contract/budget.ts";
import { ParleyError } from "../contract/error.ts";
import type { JournalEntry } from "../contract/journal.ts";
import type { Outcome } from "../contract/result.ts";
import type { Run, RunStatus } from "../contract/run.ts";
import type { Journal } from "../engine/journal.ts";
import type { HeldRun, Lease } from "./lease.ts";

/** Where runs and their journals live. Every implementation passes the suite in test/support/describe-store.ts. */
export type Store = {
  location: string;
  /**
   * Stores a run and gives its id. With `once` it is not stored when one with its key is there, of that batch if one is
   * given, and the id is that run's; of two at once one is stored.
   */
  create(run: NewRun, once?: Once): Promise<Run["id"]>;
  /** Stores a run that the caller holds from the start; what is appended at the same moment is stored with it. */
  begin(run: NewRun, once?: Once): BegunRun;
  get(id: string): Promise<Run | null>;
  /** The runs of a filter; one that can no longer be read goes to `onDamaged`, or is an error when nobody listens. */
  list(filter?: RunFilter, onDamaged?: OnDamaged): Promise<Run[]>;
  page(filter: PageFilter): Promise<RunPage>;
  ids(prefix?: string): Promise<string[]>;
  reviewed(): Promise<string[]>;
  /** What is wrong with the store as a whole, apart from its runs; each is a sentence. */
  problems(): Promise<string[]>;
  /**
   * Says how a run stands, if it still stands as it was read (`from`); else, or with a lease that was lost, it is refused
   * (`lost_lease`) and stays as it is.
   */
  setStatus(id: string, change: StatusChange, lease?: Lease): Promise<void>;
  /**
   * The run's journal; entries appended to it are durable when `append` resolves. An end entry makes the run finished in
   * the same step. Only the holder of the newest lease can append, and without one whoever comes before the first lease:
   * anyone else is refused with `lost_lease`, and nothing is stored.
   */
  journal(id: string, lease?: Lease): Promise<Journal>;
  entriesAfter(id: string, seq: number, limit: number): Promise<JournalEntry[]>;
  /** Takes the run; throws `run_locked` when somebody has it whose lease has not run out and who is not known to be gone. `takeOver` takes it even then: the holder's next entry is refused. */
  lock(id: string, options?: { takeOver?: boolean | undefined }): Promise<Lease>;
  held(): Promise<HeldRun[]>;
  inbox: Inbox;
  recovery: Recovery;
  sessions: Sessions;
  spending: Spending;
  getVectors(model: string, hashes: readonly string[]): Promise<Map<string, Float32Array>>;
  putVectors(model: string, vectors: ReadonlyMap<string, Float32Array>): Promise<void>;
  close(): Promise<void>;
};

export type Once = { batch?: string | undefined };

export type BegunRun = { lease: Lease; journal: Journal; stored: Promise<Run["id"]> };

export type NewRun = Omit<Run, "headHash" | "entryCount">;

export type StatusChange = { from: RunStatus; to: RunStatus; outcome: Outcome | null };

export type RunFilter = {
  pack?: string;
  batch?: string;
  key?: string;
  caseId?: string;
  status?: RunStatus;
  outcome?: Outcome;
  idPrefix?: string;
  /** Made at this time or later, and before that time; ISO 8601 in UTC. */
  from?: string;
  to?: string;
  limit?: number;
};

export type OnDamaged = (id: string, error: ParleyError) => void;

export type PageFilter = RunFilter & {
  /** Words that must all be found, in the case, in one reply or in the decision. */
  text?: string;
  after?: string;
  limit: number;
};

export type RunPage = {
  runs: Run[];
  next: string | null;
  total: { count: number; exact: boolean };
  damaged: { id: string; error: ParleyError }[];
};

export function listPage(page: Store["page"]): Store["list"] {
  return async (filter = {}, onDamaged) => {
    const { runs, damaged } = await page({ ...filter, limit: filter.limit ?? 2 ** 31 });
    for (const { id, error } of damaged) {
      if (!onDamaged) throw error;
      onDamaged(id, error);
    }
    return runs;
  };
}

export const countedRuns = 10_000;
export const countedMatches = 200;

export type Claim = { reviewer: string; until: string };

/** What is known of a run that waits: since when, who has it, whether it was closed without going on, and what time it is. */
export type InboxEntry = { since: string; claim: Claim | null; closed: boolean; now: string };

/**
 * What a store knows of runs that wait for a person; all who share the store share it. Times are ISO 8601 in UTC; `now`
 * is the caller's, and a store that has a clock of its own goes by that.
 */
export type Inbox = {
  /** Reads entries by run; a run that is seen for the first time waits since `now`. */
  see(runs: readonly string[], now: string): Promise<Map<string, InboxEntry>>;
  claim(run: string, by: { reviewer: string; leaseMs: number }, now: string): Promise<Claim | null>;
  release(run: string, reviewer: string): Promise<boolean>;
  /** Takes a run out of the inbox, or (`false`) forgets all about it, so that it can wait anew. */
  settle(run: string, closed: boolean): Promise<void>;
};

export type Recovery = {
  note(run: string): Promise<void>;
  list(): Promise<{ run: string; tries: number }[]>;
  forget(run: string): Promise<void>;
};

/** A session as it is kept: never what opens it, only a hash of that. */
export type Session = { role: string; endsMs: number };

export type Sessions = {
  find(hash: string): Promise<Session | null>;
  keep(hash: string, session: Session, limits: { nowMs: number; most: number }): Promise<void>;
};

export type Spending = {
  /** Sets the limits of a budget; without any nothing is limited. What was spent stays; `spent` is what a new one begins with. */
  setLimits(name: string, limits: Budget, spent?: WorstCase): Promise<void>;
  limited(names: readonly string[]): Promise<string[]>;
  reserve(names: readonly string[], worst: WorstCase): Promise<{ charged: string[] } | Refusal>;
  /** Replaces what was set aside with what was spent. What is never settled counts as spent. */
  settle(charged: readonly string[], worst: WorstCase, spent: WorstCase): Promise<void>;
};

/** Which limit of which budget a call would pass; `needed` is null when nobody knows what it costs. */
export type Refusal = { name: string; limit: "calls" | "tokens" | "usd"; needed: number | null; left: number };

export const dayBudget = "day";

/** Where a shared store is: how to connect, in which schema, and how it is named in messages, without its password. */
export type Address = { connection: string; schema: string; location: string };

export function isPostgresAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text);
}

/** Reads `postgres://user:password@host/database?schema=name`; the schema is `parley` unless it says otherwise. */
export function readAddress(text: string): Address {
  const url = parseUrl(text);
  const schema = url.searchParams.get("schema") ?? "parley";
  if (!/^[a-z_][a-z0-9_]{0,40}$/.test(schema))
    throw new ParleyError(
      "bad_config",
      "the schema of a store has lower-case letters, digits and _, at most 41 characters",
    );
  url.searchParams.delete("schema");
  const connection = url.href;
  const user = url.username === "" ? "" : `${url.username}@`;
  const location = `postgres://${user}${url.host}${url.pathname}${schema === "parley" ? "" : `?schema=${schema}`}`;
  return { connection, schema, location };
}

/** The text may hold a password, so it is not repeated. */
function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && url.pathname.length > 1) return url;
  throw new ParleyError(
    "bad_config",
    "the address of the store cannot be read; write postgres://USER:PASSWORD@HOST:5432/DATABASE",
  );
}

type Meaning = { code: "store_failed" | "corrupt_store" | "bad_config"; text: string; mayPass?: boolean };

const failed = (text: string): Meaning => ({ code: "store_failed", text });
const passing = (text: string): Meaning => ({ code: "store_failed", text, mayPass: true });
const corrupt = (text: string): Meaning => ({ code: "corrupt_store", text });
const config = (text: string): Meaning => ({ code: "bad_config", text });

const locked = passing("is locked by another process; go on when that one is done");
const full = passing(
  "could not be written: the disk is full; free some space and continue; everything stored so far is safe",
);

/** SQLite's result codes that a user can do something about: an extended one, else its family. */
const knownOfFiles: Record<number, Meaning> = {
  1: corrupt("is not laid out as a Parley store, or is damaged; give another place with --store"),
  5: locked,
  6: locked,
  8: failed("is read-only; make it and its folder writable, or give another place with --store"),
  10: failed(
    "could not be read or written (a disk error, or a limit on the size of files); everything stored so far is safe",
  ),
  11: corrupt("is damaged; what can be read can be exported, then move the file away"),
  13: full,
  14: failed("could not be opened; check that the folder exists and is writable, or give another with --store"),
  26: corrupt("is not a Parley store (not an SQLite file); give another place with --store"),
  4874: full,
};

export function explainStoreError(file: string, error: unknown): unknown {
  const { errcode, code, message } = error as { errcode?: number; code?: string; message?: string };
  const about = (meaning: Meaning): ParleyError => explain(`the store ${file} ${meaning.text}`, meaning, error);
  if (typeof errcode === "number")
    return about(knownOfFiles[errcode] ?? knownOfFiles[errcode & 0xff] ?? failed(`failed: ${message}`));
  if (code === "ENOSPC")
    return about(failed("could not be made: the disk is full; make room, or give another place with --store"));
  const isPlace = /^(?:EACCES|EROFS|ENOTDIR|EEXIST|EPERM|ENOENT|ENAMETOOLONG|ELOOP)$/.test(code ?? "");
  return isPlace
    ? about(failed(`could not be opened (${code}); give a folder that can be written with --store`))
    : error;
}

function explain(message: string, { code, mayPass = false }: Meaning, cause: unknown): ParleyError {
  return new ParleyError(code, message, { cause, details: { mayPass } });
}

const away = passing("cannot be reached");
const crossed = passing("had two writers in each other's way");
const unlike = failed("is not laid out for this Parley; whoever owns the database runs: parley store init");

const knownOfServers: Record<string, Meaning> = {
  "08": away,
  "57": away,
  "53300": passing("has no connection to spare"),
  "53100": passing("could not be written: its disk is full; free some space; everything stored so far is safe"),
  "40001": crossed,
  "40P01": crossed,
  "25006": passing("is read-only at the moment; perhaps this is the address of a replica"),
  "28": config("does not let this user in; check user and password in the address"),
  "3D000": config("does not exist; the owner of the server must create it first"),
  "3F000": unlike,
  "42P01": unlike,
  "42703": unlike,
  "42883": unlike,
  "42501": config("denies this user the rights it needs; docs/deploy.md says how to grant them"),
  XX001: corrupt("is damaged"),
  XX002: corrupt("is damaged"),
};

export function explainPostgresError(location: string, error: unknown): unknown {
  if (error instanceof ParleyError || !(error instanceof Error)) return error;
  const meaning = findMeaning(error);
  const said = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return meaning ? explain(`the store ${location} ${meaning.text} (${said.message})`, meaning, error) : error;
}

/** What Node and the driver say when there is nobody at the other end, or no longer. */
const goneCode = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const goneMessage = /^(Connection terminated|timeout exceeded when trying|Client has encountered a connection error)/;

function findMeaning(error: Error): Meaning | null {
  const { code = "", message } = error as { code?: string; message: string };
  if (goneCode.test(code) || goneMessage.test(message)) return away;
  if (error instanceof AggregateError)
    return error.errors.map((one) => findMeaning(one as Error)).find(Boolean) ?? null;
  if (!/^[0-9A-Z]{5}$/.test(code)) return null;
  return knownOfServers[code] ?? knownOfServers[code.slice(0, 2)] ?? failed("failed");
}
