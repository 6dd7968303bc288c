import type { Budget, WorstCase } from "../contract/budget.ts";
import errors from "../../data/store/errors.json" with { type: "json" };
import { type ErrorCode, ParleyError } from "../contract/error.ts";
import type { JournalEntry } from "../contract/journal.ts";
import type { Outcome } from "../contract/result.ts";
import type { Run, RunStatus } from "../contract/run.ts";
import type { Journal } from "../engine/journal.ts";
import type { HeldRun, Lease } from "./lease.ts";

/** Keeps runs and their journals. Every implementation passes the suite in test/support/describe-store.ts. */
export type Store = {
  location: string;
  /**
   * Stores a run and returns its id. With `once`, returns the run that already has its key (in that batch, if given)
   * instead of storing another, even when two calls race.
   */
  create(run: NewRun, once?: Once): Promise<Run["id"]>;
  /** Stores a run that the caller holds from the start; entries appended at once are stored with it. */
  begin(run: NewRun, once?: Once): BegunRun;
  get(id: string): Promise<Run | null>;
  /** Lists runs; damaged ones go to `onDamaged`, or are an error without it. */
  list(filter?: RunFilter, onDamaged?: OnDamaged): Promise<Run[]>;
  page(filter: PageFilter): Promise<RunPage>;
  ids(prefix?: string): Promise<string[]>;
  reviewed(): Promise<string[]>;
  /** Problems of the store as a whole, one sentence each. */
  problems(): Promise<string[]>;
  /** Changes a run's status, if it is still the one that was read (`from`). Otherwise, or with a lost lease, throws `lost_lease` and changes nothing. */
  setStatus(id: string, change: StatusChange, lease?: Lease): Promise<void>;
  /**
   * The run's journal; `append` resolves when entries are durable, and an end entry finishes the run in the same
   * step. Only the holder of the newest lease can append (anyone, before the first lease); others get `lost_lease`,
   * and nothing is stored.
   */
  journal(id: string, lease?: Lease): Promise<Journal>;
  entriesAfter(id: string, seq: number, limit: number): Promise<Pick<JournalEntry, "seq" | "body">[]>;
  /**
   * Takes the run; throws `run_locked` when its holder's lease has not expired and the holder is not known to be
   * gone. `takeOver` takes it even then: the holder's next entry is refused.
   */
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
  /** Created from this time on, and before `to`; ISO 8601 in UTC. */
  from?: string;
  to?: string;
  limit?: number;
};

export type OnDamaged = (id: string, error: ParleyError) => void;

export type PageFilter = RunFilter & {
  /** Words that must all occur in the case, in one reply or in the decision. */
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

/** A waiting run: since when, who claimed it, and whether it was closed. */
export type InboxEntry = { since: string; claim: Claim | null; closed: boolean; now: string };

/**
 * The runs that wait for a person, shared by all who use the store. Times are ISO 8601 in UTC; `now` is the caller's,
 * unless the store has its own clock.
 */
export type Inbox = {
  /** Reads entries by run; a run seen for the first time waits since `now`. */
  see(runs: readonly string[], now: string): Promise<Map<string, InboxEntry>>;
  claim(run: string, by: { reviewer: string; leaseMs: number }, now: string): Promise<Claim | null>;
  release(run: string, reviewer: string): Promise<boolean>;
  /** Removes a run from the inbox, or (`false`) forgets it, so that it can wait anew. */
  settle(run: string, closed: boolean): Promise<void>;
};

export type Recovery = {
  note(run: string): Promise<void>;
  list(): Promise<{ run: string; tries: number }[]>;
  forget(run: string): Promise<void>;
};

/** A stored session; only a hash of its secret is kept. */
export type Session = { role: string; endsMs: number };

export type Sessions = {
  find(hash: string): Promise<Session | null>;
  keep(hash: string, session: Session, limits: { nowMs: number; most: number }): Promise<void>;
};

export type Spending = {
  /** Sets the limits of a budget; with none, nothing is limited. Earlier spending stays; `spent` is the start of a new budget. */
  setLimits(name: string, limits: Budget, spent?: WorstCase): Promise<void>;
  limited(names: readonly string[]): Promise<string[]>;
  reserve(names: readonly string[], worst: WorstCase): Promise<{ charged: string[] } | Refusal>;
  /** Replaces a reservation with the real cost. Unsettled reservations count as spent. */
  settle(charged: readonly string[], worst: WorstCase, spent: WorstCase): Promise<void>;
};

/** The limit a call would exceed; `needed` is null when its cost is unknown. */
export type Refusal = { name: string; limit: "calls" | "tokens" | "usd"; needed: number | null; left: number };

export const dayBudget = "day";

/** The address of a shared store; `location` names it in messages, without the password. */
export type Address = { connection: string; schema: string; location: string };

export function isPostgresAddress(text: string): boolean {
  return /^postgres(?:ql)?:\/\//.test(text);
}

/** Parses `postgres://user:password@host/database?schema=name`; the schema defaults to `parley`. */
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

/** The text may hold a password, so errors do not repeat it. */
function parseUrl(text: string): URL {
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url && url.pathname.length > 1) return url;
  throw new ParleyError(
    "bad_config",
    "the address of the store cannot be read; write postgres://USER:PASSWORD@HOST:5432/DATABASE",
  );
}

type Meaning = { code: ErrorCode; text: string; mayPass?: boolean };

/** What result codes mean to a user: those of SQLite and of files, and those of PostgreSQL. */
const { sqlite, server } = errors as Record<"sqlite" | "server", Record<string, Meaning>>;

const failed = (text: string): Meaning => ({ code: "store_failed", text });

export function explainStoreError(file: string, error: unknown): unknown {
  const { code = "", message, ...rest } = error as { errcode?: number; code?: string; message?: string };
  // A number beyond what JavaScript counts exactly is none that was stored.
  const errcode = code === "ERR_OUT_OF_RANGE" ? 11 : rest.errcode;
  const isPlace = /^(?:EACCES|EROFS|ENOTDIR|EEXIST|EPERM|ENOENT|ENAMETOOLONG|ELOOP)$/.test(code);
  const meaning =
    // Extended codes first, then their family.
    typeof errcode === "number"
      ? (sqlite[errcode] ?? sqlite[errcode & 0xff] ?? failed(`failed: ${message}`))
      : isPlace
        ? failed(`could not be opened (${code}); give a folder that can be written with --store`)
        : sqlite[code];
  return meaning ? explain(`the store ${file} ${meaning.text}`, meaning, error) : error;
}

function explain(message: string, { code, mayPass = false }: Meaning, cause: unknown): ParleyError {
  return new ParleyError(code, message, { cause, details: { mayPass } });
}

export function explainPostgresError(location: string, error: unknown): unknown {
  if (error instanceof ParleyError || !(error instanceof Error)) return error;
  const meaning = findMeaning(error);
  const said = error instanceof AggregateError ? (error.errors[0] as Error) : error;
  return meaning ? explain(`the store ${location} ${meaning.text} (${said.message})`, meaning, error) : error;
}

/** Codes of Node and the driver for a lost or missing database. */
const goneCode = /^(?:ECONNREFUSED|ECONNRESET|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const goneMessage = /^(Connection terminated|timeout exceeded when trying|Client has encountered a connection error)/;

function findMeaning(error: Error): Meaning | null {
  const { code = "", message } = error as { code?: string; message: string };
  if (goneCode.test(code) || goneMessage.test(message)) return server.gone ?? null;
  if (error instanceof AggregateError)
    return error.errors.map((one) => findMeaning(one as Error)).find(Boolean) ?? null;
  if (!/^[0-9A-Z]{5}$/.test(code)) return null;
  return server[code] ?? server[code.slice(0, 2)] ?? failed("failed");
}
