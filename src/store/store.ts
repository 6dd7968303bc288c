import type { ParleyError } from "../contract/error.ts";
import type { Run, RunStatus } from "../contract/run.ts";
import type { Outcome } from "../contract/result.ts";
import type { JournalEntry } from "../contract/journal.ts";
import type { Journal } from "../engine/journal.ts";

import type { Inbox } from "./inbox/inbox.ts";
import type { HeldRun, Lease, LockOptions } from "./lease.ts";
import type { PageFilter, RunPage } from "./run-page.ts";

/** Which runs to list, newest first. */
export type RunFilter = {
  pack?: string;
  batch?: string;
  key?: string;
  status?: RunStatus;
  idPrefix?: string;
  limit?: number;
};

/** Told of a run that can no longer be read. */
export type OnDamaged = (id: string, error: ParleyError) => void;

/** Where runs and their journals live. Every implementation passes the suite in test/support/describe-store.ts. */
export type Store = {
  /** Where this store is, for messages. */
  location: string;
  create(run: Omit<Run, "headHash" | "entryCount">): Promise<void>;
  /** Stores a run unless one with its key is there, of the batch if one is given; says which one it is. Of two at once one is stored. */
  createOnce(run: Omit<Run, "headHash" | "entryCount">, within?: { batch: string }): Promise<Run["id"]>;
  get(id: string): Promise<Run | null>;
  /** The runs of a filter; one that can no longer be read goes to `onDamaged`, or is an error when nobody listens. */
  list(filter?: RunFilter, onDamaged?: OnDamaged): Promise<Run[]>;
  /** A page of runs, newest first; stable while runs are added. */
  page(filter: PageFilter): Promise<RunPage>;
  /** The ids of all runs, or of those with this beginning, oldest first, including those that can no longer be read. */
  ids(prefix?: string): Promise<string[]>;
  /** The ids of the runs that a person has ruled on. */
  reviewed(): Promise<string[]>;
  /** What is wrong with the store as a whole, apart from its runs; each is a sentence. */
  problems(): Promise<string[]>;
  /** Says how a run stands; with a lease that was lost it is refused (`lost_lease`). */
  setStatus(id: string, status: RunStatus, outcome: Outcome | null, lease?: Lease): Promise<void>;
  /**
   * The run's journal; entries appended to it are durable when `append` resolves. An end entry makes the run finished in
   * the same step. Only the holder of the newest lease can append, and without one whoever comes before the first lease:
   * anyone else is refused with `lost_lease`, and nothing is stored.
   */
  journal(id: string, lease?: Lease): Promise<Journal>;
  /** The durable entries of a run after `seq`, at most so many: for those who follow it. */
  entriesAfter(id: string, seq: number, limit: number): Promise<JournalEntry[]>;
  /** Takes the run; throws `run_locked` when somebody has it whose lease has not run out and who is not known to be gone. */
  lock(id: string, options?: LockOptions): Promise<Lease>;
  /** The runs that somebody has taken and not given back, by id. */
  held(): Promise<HeldRun[]>;
  /** What is known of the runs that wait for a person. */
  inbox: Inbox;
  close(): Promise<void>;
};
